//@ engines: explicit, graph, tvl, auto; verdict: safe
static int *kept, *copy;

static void keep(void)
{
    int one = 1;
    kept = &one;
    copy = kept;
}

int main(void)
{
    keep();
    if (kept == 0 || copy == 0)
        *(int *)0 = 1;
    int *third = kept;
    {
        int two = 2;
        if (third == 0 || &two == 0)
            *(int *)0 = 1;
    }
    return 0;
}
