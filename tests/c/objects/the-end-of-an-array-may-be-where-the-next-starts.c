//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// One past the end of an object is no byte of it.
static int first[2], second[2];

int main(void)
{
    int *end = first + 2;
    if (end == second)
        *(int *)0 = 1; //~ null-deref
    return 0;
}
