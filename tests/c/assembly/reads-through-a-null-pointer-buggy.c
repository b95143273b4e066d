//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
int main(void)
{
    int r, *p = 0;
    __asm__("movl %1, %0" : "=r"(r) : "m"(*p)); //~ null-deref
    return r;
}
