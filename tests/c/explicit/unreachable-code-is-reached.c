//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
// Coming to `__builtin_unreachable()` is undefined; Linux' `BUG_ON` ends so.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int kind = __VERIFIER_nondet_int();
    switch (kind) {
    case 0:
        return 1;
    case 1:
        return 2;
    default:
        __builtin_unreachable(); //~ assert
    }
}
