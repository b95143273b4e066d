//@ engines: explicit, graph, tvl, overlay, region; verdict: unsafe
// A parameter lives until its function returns, not until the expression around the call ends.
struct pair { int x, y; };
static int *kept;
static int keep(struct pair pair)
{
    kept = &pair.x;
    return *kept;
}
int main(void)
{
    struct pair pair = {0, 1};
    return keep(pair) + *kept; //~ use-after-free
}
