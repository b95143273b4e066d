//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
static void run(void)
{
}

static int one(void)
{
    return 1;
}

int main(void)
{
    int (*nothing)(void) = (int (*)(void))run;
    int (*something)(void) = one;
    nothing();
    return something() == 1;
}
