//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// Nothing may be behind the name: its address is null then.
extern int x __attribute__((weak));

int main(void) {
    x = 1;
    return 0;
}
