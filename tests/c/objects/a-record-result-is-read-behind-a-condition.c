//@ engines: explicit, overlay, region; verdict: unsafe
extern int __VERIFIER_nondet_int(void);
struct two { int a[2]; };
static struct two make(int first)
{
    struct two made = {{first, first + 1}};
    return made;
}
int main(void)
{
    int n = 0, *k = 0;
    while (__VERIFIER_nondet_int() && (k = make(n).a) && *k < 3)
        n += *k + 1; //~ use-after-free
    return 0;
}
