//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The local of one function may lie where that of another one was.
static int *kept;

static void keep(void)
{
    int one = 1;
    kept = &one;
}

static void look(void)
{
    int two = 2;
    if (kept == &two)
        *(int *)0 = 1; //~ null-deref
}

int main(void)
{
    keep();
    look();
    return 0;
}
