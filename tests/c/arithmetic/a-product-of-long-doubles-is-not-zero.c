//@ engines: explicit; verdict: unknown
// It is too small for a double.
int main(void) {
    volatile long double small = 0x1p-700L;
    if (small * small == 0) {
        int *p = 0;
        *p = 1;
    }
    return 0;
}
