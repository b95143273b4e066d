//@ engines: explicit, graph, tvl, overlay, refine; verdict: safe
//@ args: -mno-red-zone
static int f(void)
{
    int x = 1;
    unsigned long flags;
    __asm__ volatile("pushf\n\tpop %0" : "=r"(flags));
    return x;
}
int main(void)
{
    int *q = 0;
    return f() == 1 ? 0 : *q;
}
