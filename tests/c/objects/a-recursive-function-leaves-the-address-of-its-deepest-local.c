//@ engines: explicit, tvl, auto; verdict: unsafe
//@ engines: graph; verdict: unknown
// There were many locals of one name, and all are gone.
static int *deepest;

static void descend(int depth)
{
    int here = depth;
    if (depth > 0)
        descend(depth - 1);
    else
        deepest = &here;
}

int main(void)
{
    descend(2);
    return *deepest; //~ may use-after-free
}
