//@ engines: explicit, graph, tvl, overlay, auto; verdict: unknown
register void *stack __asm__("rsp");

int main(void)
{
    int *p = 0;
    if (stack)
        *p = 1;     //~ may null-deref
    return 0;
}
