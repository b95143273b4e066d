//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// `"heap"` may end with `"eap"`.
int main(void)
{
    const char *whole = "heap", *tail = "eap";
    if (whole + 1 == tail)
        *(int *)0 = 1; //~ null-deref
    return 0;
}
