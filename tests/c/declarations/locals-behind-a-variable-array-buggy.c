//@ engines: explicit, overlay; verdict: unsafe
int main(void) {
    int n = 2, *kept = 0;
    for (int round = 0; round < 2; round++) {
        int counts[n];
        int value[1];
        counts[0] = value[0] = round;
        if (kept) {
            return *kept; //~ use-after-free
        }
        kept = value;
    }
    return 0;
}
