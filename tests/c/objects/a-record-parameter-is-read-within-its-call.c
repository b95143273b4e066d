//@ engines: explicit, overlay; verdict: safe
// Arguments live while their call runs, and each call has its own.
struct pair { int x, y; };
static int *kept;
static struct pair twice(int x)
{
    struct pair pair = {x, x};
    return pair;
}
static int read_kept(struct pair pair)
{
    pair.x = 7;
    return *kept;
}
static int keep(struct pair pair, struct pair other)
{
    kept = &pair.x;
    return read_kept(other) + pair.y;
}
int main(void)
{
    int (*call)(struct pair, struct pair) = keep;
    struct pair pair = {1, 1};
    int *null = 0;
    if (keep(pair, twice(keep(twice(2), pair))) != 2 || call(twice(3), pair) != 6 || pair.x != 1)
        *null = 1;
    return 0;
}
