//@ engines: explicit, graph, tvl, overlay; verdict: unknown
// C11 6.3.2.3p8: of what the function looks at, the call sets one half.
static void f(long d) {
    if (d == -5)
        return;
    int *p = 0;
    *p = 1;
}

int main(void) {
    ((void (*)(int))f)(-5);
    return 0;
}
