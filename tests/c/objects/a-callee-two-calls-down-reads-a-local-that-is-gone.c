//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The address goes two calls down, through a record passed by value.
struct view {
    const int *first;
    int count;
};

static int head(const int *first)
{
    return *first; //~ use-after-free
}

static int first_of(struct view view)
{
    return head(view.first);
}

int main(void)
{
    struct view view = { 0, 0 };
    {
        int value = 7;
        view.first = &value;
        view.count = 1;
    }
    return first_of(view);
}
