//@ engines: explicit, graph, tvl, overlay; verdict: unknown
static float f(void) {
    return 1.0f;
}

static float g(void) {
    return 1.0f;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    float (*h)(void) = __VERIFIER_nondet_int() ? f : g;
    int *p = 0;
    if (((int (*)(void))h)() == 1)
        return 0;
    return p != 0;
}
