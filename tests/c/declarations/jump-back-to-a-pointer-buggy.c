//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
int main(void)
{
    static int v = 4;
    int n = 0;
again:;
    int *x;
    if (n == 1)
        return *x; //~ uninitialised
    x = &v;
    n = 1;
    goto again;
}
