//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
int main(void)
{
    unsigned low, *q = 0;
    register unsigned long kept = 1;
    __asm__ volatile("rdtsc" : "=a"(low));
    return kept == 1 ? 0 : *q;
}
