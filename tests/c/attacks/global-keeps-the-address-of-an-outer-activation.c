//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
static int *g;

static int f(int d)
{
    int x = d;
    int *save = g;
    if (d == 3)
        g = &x;
    int r = 0;
    if (d > 0)
        r = f(d - 1);
    else r = *g;
    if (d == 2) {
    }
    return r;
}

int main(void)
{
    f(3);
    return *g; //~ use-after-free
}
