//@ engines: explicit, graph, tvl, auto; verdict: safe
static int first[2], second[2];

int main(void)
{
    int *end = first + 2;
    if (first == second || first + 1 == second || end == second + 1)
        *(int *)0 = 1;
    return 0;
}
