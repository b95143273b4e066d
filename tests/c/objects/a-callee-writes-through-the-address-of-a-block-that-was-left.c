//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The callee is inlined and gets the address of a local that is gone.
struct range {
    int low, high;
};

static void widen(struct range *range, int value)
{
    range->high = value; //~ use-after-free
}

int main(void)
{
    struct range *range;
    {
        struct range inner = { 1, 2 };
        range = &inner;
        widen(range, 3);
    }
    widen(range, 4);
    return 0;
}
