//@ engines: explicit, graph, tvl, auto; verdict: safe
struct pair {
    int *first, *second;
};

int main(void)
{
    struct pair from, to = { 0, 0 };
    from.first = 0;
    to = from;
    if (to.first)
        *(int *)0 = 1;
    to.second = 0;
    return to.second != 0;
}
