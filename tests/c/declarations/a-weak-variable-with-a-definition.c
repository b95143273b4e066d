//@ engines: explicit, graph, tvl, overlay; verdict: safe
extern int x __attribute__((weak));
int x __attribute__((weak)) = 2;

int main(void) {
    x = 1;
    return 0;
}
