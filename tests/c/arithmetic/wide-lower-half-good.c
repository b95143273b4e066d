// What is not negative stays in the lower half of 16 bytes.
//@ engines: explicit, overlay; verdict: safe
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned __int128 x = (unsigned __int128)n;
    int value;
    int *p = &value;
    if (n >= 0 && x >= ((unsigned __int128)1 << 127))
        p = 0;
    *p = 1;
    return 0;
}
