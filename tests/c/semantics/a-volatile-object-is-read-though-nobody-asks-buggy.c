//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
int main(void) {
    volatile int *device = 0;
    *device; //~ null-deref
    return 0;
}
