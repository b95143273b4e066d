//@ engines: explicit, graph, tvl, overlay; verdict: safe
int main(void)
{
    static int v = 4;
    int n = 0;
again:;
    int *x = &v;
    if (n == 1)
        return *x;
    n = 1;
    goto again;
}
