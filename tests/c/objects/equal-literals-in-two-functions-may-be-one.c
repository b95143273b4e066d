//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// An address is all that is compared.
static const char *name(void)
{
    return "heap";
}

int main(void)
{
    const char *other = "heap";
    if (name() == other)
        *(int *)0 = 1; //~ null-deref
    return 0;
}
