//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
int main(void)
{
    int r, x;
    __asm__("bsfl %1, %0" : "=r"(r) : "r"(x)); //~ uninitialised
    return 0;
}
