//@ engines: explicit, graph, tvl, auto; verdict: safe
int main(void)
{
    const char *one = "heap", *two = "help";
    if (one == two || one + 1 == two)
        *(int *)0 = 1;
    return 0;
}
