//@ engines: explicit, overlay; verdict: unsafe
//@ args: --property overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int width = __VERIFIER_nondet_int();
    if (width < 0 || width > 50000) return 0;
    return width * 50000 > 7; //~ overflow
}
