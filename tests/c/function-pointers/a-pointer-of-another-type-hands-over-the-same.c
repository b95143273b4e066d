//@ engines: explicit, graph, tvl, overlay; verdict: safe
// The targets of pointers, signs and a result that nobody takes make no difference.
struct cell {
    int value;
};

static int count(struct cell *cell, unsigned n) {
    return cell->value + (int)n;
}

static int nothing(struct cell *cell, unsigned n) {
    return cell->value - (int)n;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct cell cell = {1};
    void (*h)(void *, int) = (void (*)(void *, int))(__VERIFIER_nondet_int() ? count : nothing);
    h(&cell, 2);
    return 0;
}
