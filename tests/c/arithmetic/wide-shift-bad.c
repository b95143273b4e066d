// A shift to the right of an unsigned number brings in zeros, also at 16 bytes.
//@ engines: explicit, overlay, graph, tvl; verdict: unsafe
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned __int128 x = (unsigned __int128)n;
    int value;
    int *p = &value;
    if (n < 0 && (x >> 127) == 1)
        p = 0;
    *p = 1; //~ null-deref
    return 0;
}
