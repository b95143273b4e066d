// What is not negative stays in the lower half of 16 bytes.
//@ engines: explicit, overlay, graph, tvl; verdict: unsafe
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned __int128 x = (unsigned __int128)n;
    int value;
    int *p = &value;
    if (x < ((unsigned __int128)1 << 127))
        p = 0;
    *p = 1; //~ null-deref
    return 0;
}
