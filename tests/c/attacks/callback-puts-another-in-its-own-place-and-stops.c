//@ engines: explicit, graph, tvl, overlay; verdict: safe
static void (*next_step)(void);
static void fail(void)
{
    *(int *)0 = 1;
}
static void second(void) { next_step = fail; }
static void first(void) { next_step = second; }
int main(void)
{
    next_step = first;
    next_step();
    next_step();
    return 0;
}
