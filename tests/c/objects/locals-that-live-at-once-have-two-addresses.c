//@ engines: explicit, graph, tvl, auto; verdict: safe
int main(void)
{
    int one = 1;
    int *first = &one;
    {
        int two = 2;
        int *second = &two;
        if (first == second)
            *(int *)0 = 1;
    }
    {
        int three = 3;
        if (first == &three)
            *(int *)0 = 1;
    }
    return 0;
}
