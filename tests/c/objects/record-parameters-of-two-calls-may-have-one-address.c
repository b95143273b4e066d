//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
struct pair { int x, y; };
static void *first, *second;
static int keep(struct pair pair, void **address)
{
    *address = &pair;
    return 0;
}
int main(void)
{
    struct pair pair = {0, 1};
    int *null = 0;
    if (keep(pair, &first) + keep(pair, &second) == 0 && first == second)
        *null = 1; //~ null-deref
    return 0;
}
