//@ engines: explicit, graph, tvl, overlay; verdict: safe
// gcc reads no object whose value is not used, unless it is volatile.
int main(void) {
    int value, *unset = &value;
    volatile int flag = 0;
    (void)*unset;
    (void)flag;
    return 0;
}
