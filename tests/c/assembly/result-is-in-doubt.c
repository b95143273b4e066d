//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
// The value is 3, but that is not followed: what rests on another one is possible, not shown.
int main(void)
{
    int r, *q = 0;
    __asm__("movl $3, %0" : "=r"(r));
    if (r == 4)
        return *q; //~ null-deref
    return 0;
}
