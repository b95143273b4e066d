//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The local of the second call may lie elsewhere.
static int *kept;

static void step(int round)
{
    int here = round;
    if (round > 0 && kept != &here)
        *(int *)0 = 1; //~ null-deref
    kept = &here;
}

int main(void)
{
    step(0);
    step(1);
    return 0;
}
