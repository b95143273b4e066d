//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
struct node { int v; struct node *next; };
int main(void)
{
    int n = 0;
again:;
    struct node a;
    if (n == 1)
        return a.v; //~ uninitialised
    a.v = 0;
    n = 1;
    goto again;
}
