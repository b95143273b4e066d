//@ engines: explicit, graph, tvl; verdict: safe
/* A function that may return what was not set, asked only for what was. */

static int same(int value)
{
    return value;
}

int main(void)
{
    int never_used;
    int set = 3;
    int result = same(set);
    int copy = same(never_used);
    (void)copy;
    if (result)
        return 1;
    return 0;
}
