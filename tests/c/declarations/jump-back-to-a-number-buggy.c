//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
int main(void)
{
    int n = 0;
again:;
    int x;
    if (n == 1)
        return x; //~ uninitialised
    x = 3;
    n = 1;
    goto again;
}
