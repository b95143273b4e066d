//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
//@ args: -fno-pie
int g = 1;
int main(void)
{
    int *q = 0;
    __asm__("movl $0, %P0" : : "i"(&g));
    return g == 0 ? *q : 0;
}
