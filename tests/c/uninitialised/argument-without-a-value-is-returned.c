//@ engines: explicit, graph, tvl; verdict: unsafe
/* What a function is given it returns: no value stays none on the way through the call. */

static int same(int value)
{
    return value;
}

int main(void)
{
    int never_set;
    int result = same(never_set);
    if (result) //~ uninitialised
        return 1;
    return 0;
}
