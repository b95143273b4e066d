//@ engines: explicit, graph, tvl, overlay, refine; verdict: safe
int main(void)
{
    int n = 0;
    int x;
again:
    if (n == 1)
        return x;
    x = 3;
    n = 1;
    goto again;
}
