//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
int x = 1;
int main(void)
{
    int *p = &x, *q = 0, v = 0;
    long n = 1;
    __asm__("rep stosl" : "+D"(p), "+c"(n) : "a"(v));
    return x == 0 ? *q : 0;
}
