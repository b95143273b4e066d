// A negative number becomes one in the upper half of 16 bytes; the others stay below.
//@ engines: explicit, overlay, graph, tvl; verdict: unsafe
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned __int128 x = (unsigned __int128)n;
    int value;
    int *p = &value;
    if (n < 0 && x >= ((unsigned __int128)1 << 127))
        p = 0;
    *p = 1; //~ null-deref
    return 0;
}
