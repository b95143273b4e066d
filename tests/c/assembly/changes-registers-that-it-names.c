//@ engines: explicit, graph, tvl, overlay, refine; verdict: safe
int main(void)
{
    unsigned low, high, *q = 0;
    unsigned long kept = 1;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return kept == 1 ? 0 : *q;
}
