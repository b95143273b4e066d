//@ engines: explicit, graph, tvl, auto; verdict: safe
struct view {
    const int *first;
    int count;
};

static int head(const int *first)
{
    return *first;
}

static int first_of(struct view view)
{
    return head(view.first);
}

int main(void)
{
    int value = 7;
    struct view view = { 0, 0 };
    {
        view.first = &value;
        view.count = 1;
    }
    return first_of(view) != 7;
}
