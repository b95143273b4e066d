//@ engines: graph, tvl, refine, region; verdict: unknown
//@ args: --property overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    return x < 10 ? x + 1 : 0;
}
