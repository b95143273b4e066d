// 2 to the power of 128 is 6 modulo 10: so is what -10 becomes.
//@ engines: explicit, overlay, graph, tvl; verdict: unsafe
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned __int128 x = (unsigned __int128)n;
    int value;
    int *p = &value;
    if (n == -10 && x % 10 == 6)
        p = 0;
    *p = 1; //~ null-deref
    return 0;
}
