//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// A copy carries that there is no value.
struct pair {
    int *first, *second;
};

int main(void)
{
    struct pair from, to = { 0, 0 };
    from.first = 0;
    to = from;
    if (to.second) //~ uninitialised
        return 1;
    return 0;
}
