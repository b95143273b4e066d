//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
int main(void)
{
    int x = 1, r, *q = 0;
    __asm__("movl $0, %1\n\tmovl $1, %0" : "=r"(r) : "m"(x));
    return x == 0 ? *q : 0;
}
