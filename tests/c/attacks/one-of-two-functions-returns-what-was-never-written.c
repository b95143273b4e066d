//@ engines: explicit, tvl, overlay; verdict: unsafe
extern int __VERIFIER_nondet_int(void);
static int get(int *p) { return *p; }
static int zero(int *p) { return p == 0; }
int main(void)
{
    int unset;
    int (*read)(int *) = __VERIFIER_nondet_int() ? get : zero;
    if (read(&unset)) //~ uninitialised
        return 1;
    return 0;
}
