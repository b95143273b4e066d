//@ engines: explicit; verdict: safe
// Operands of &&, || and ?: are no full expressions (C11 6.8 p4).
extern int __VERIFIER_nondet_int(void);
struct two { int a[2]; };
static struct two make(int first)
{
    struct two made = {{first, first + 1}};
    return made;
}
static int choose(int c)
{
    int *k;
    return c ? (k = make(1).a) && *k == 1 : (k = make(2).a) ? k[1] : 5;
}
int main(void)
{
    int c = __VERIFIER_nondet_int(), n = 0, *k = 0, *null = 0;
    if ((k = make(1).a) && *k == 1)
        n++;
    while ((k = make(n).a) && *k < 3)
        n++;
    for (int i = 0; i < 2; i++)
        if (c && ({ int *q = make(i).a; q != 0; }) && (k = make(i).a) && *k == i)
            n++;
    if (choose(c) != (c ? 1 : 3) || (c && n != 5))
        *null = 1;
    return 0;
}
