//@ engines: explicit, graph, tvl, auto; verdict: safe
int main(void) {
    int *p = &(int){5};
    if (*p == 5) {
        int *q = &(int){6};
        p = q;
        if (*p != 6) return 1;
    }
    return 0;
}
