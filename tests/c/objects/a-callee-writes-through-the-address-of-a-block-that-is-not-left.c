//@ engines: explicit, graph, tvl, auto; verdict: safe
struct range {
    int low, high;
};

static void widen(struct range *range, int value)
{
    range->high = value;
}

int main(void)
{
    struct range inner = { 1, 2 };
    struct range *range;
    {
        range = &inner;
        widen(range, 3);
    }
    widen(range, 4);
    return inner.high != 4;
}
