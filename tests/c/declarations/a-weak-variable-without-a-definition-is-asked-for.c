//@ engines: explicit, graph, tvl, overlay; verdict: unknown
extern int x __attribute__((weak));

int main(void) {
    int *p = 0;
    return &x ? 0 : *p;
}
