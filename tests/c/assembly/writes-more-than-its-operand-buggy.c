//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
struct pair { int a, b; };
int main(void)
{
    struct pair s = { 1, 1 };
    int *q = 0;
    __asm__("movq $0, %0" : "=m"(s.a));
    return s.b == 0 ? *q : 0;
}
