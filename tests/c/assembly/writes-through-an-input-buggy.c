//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
// The text writes where an input points to, and does not say so.
int main(void)
{
    int x = 1, r;
    int *p = &x, *q = 0;
    __asm__("movl $0, (%1)\n\tmovl $1, %0" : "=r"(r) : "r"(p));
    return x == 0 ? *q : 0;
}
