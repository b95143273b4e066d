//@ engines: explicit, overlay; verdict: unsafe
//@ args: --property overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x < 0 ? -x : x; //~ overflow
    return y > 0;
}
