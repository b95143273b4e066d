//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
int x = 1;
extern int y;
__asm__(".globl y\n\t.set y, x");
int main(void)
{
    int *q = 0;
    y = 0;
    return x == 0 ? *q : 0;
}
