//@ engines: explicit, graph, tvl, overlay; verdict: safe
extern int __VERIFIER_nondet_int(void);

static int last(void)
{
    int status;
    if (__VERIFIER_nondet_int())
        status = 0;
    return status;
}

int main(void)
{
    last();
    return 0;
}
