//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
struct pair { int x, y; };
static int *second(struct pair pair)
{
    int *y = &pair.y;
    return y; //~ dangling-return
}
int main(void)
{
    struct pair pair = {0, 1};
    return *second(pair);
}
