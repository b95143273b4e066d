//@ engines: explicit, overlay, refine; verdict: unsafe
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3 || n < 0) return 0;
    return 6 / n; //~ division-by-zero
}
