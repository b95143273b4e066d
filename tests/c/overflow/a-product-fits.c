//@ engines: explicit, overlay; verdict: safe
//@ args: --property overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int width = __VERIFIER_nondet_int();
    if (width < 0 || width > 50000) return 0;
    return width * 40000 > 7;
}
