//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The block is left by `goto` and entered again.
int main(void)
{
    int round = 0;
    int *kept = 0;
again:;
    {
        int here = round;
        if (kept && *kept == 0) //~ use-after-free
            return 1;
        kept = &here;
        if (++round < 2)
            goto again;
    }
    return 0;
}
