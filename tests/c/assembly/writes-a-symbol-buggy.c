//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
int g = 1;
int main(void)
{
    int *q = 0;
    __asm__("movl $0, g(%%rip)" : :);
    return g == 0 ? *q : 0;
}
