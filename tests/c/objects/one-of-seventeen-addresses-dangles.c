//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// All of them are told apart.
extern int __VERIFIER_nondet_int(void);
static int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;

int main(void)
{
    int *p = &a0;
    switch (__VERIFIER_nondet_int()) {
    case 1: p = &a1; break;
    case 2: p = &a2; break;
    case 3: p = &a3; break;
    case 4: p = &a4; break;
    case 5: p = &a5; break;
    case 6: p = &a6; break;
    case 7: p = &a7; break;
    case 8: p = &a8; break;
    case 9: p = &a9; break;
    case 10: p = &a10; break;
    case 11: p = &a11; break;
    case 12: p = &a12; break;
    case 13: p = &a13; break;
    case 14: p = &a14; break;
    case 15: p = &a15; break;
    case 16: {
        int inner = 0;
        p = &inner;
        break;
    }
    }
    *p = 1; //~ use-after-free
    return 0;
}
