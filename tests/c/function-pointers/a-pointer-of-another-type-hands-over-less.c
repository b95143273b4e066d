//@ engines: explicit, graph, tvl, overlay; verdict: unknown
static void f(long d) {
    if (d == -5)
        return;
    int *p = 0;
    *p = 1;
}

static void g(long d) {
    (void)d;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    void (*h)(int) = (void (*)(int))(__VERIFIER_nondet_int() ? f : g);
    h(-5);
    return 0;
}
