//@ engines: explicit, graph, tvl, auto; verdict: safe
extern int __VERIFIER_nondet_int(void);
static char c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18;

int main(void)
{
    char *p = &c0;
    switch (__VERIFIER_nondet_int()) {
    case 1: p = &c1; break;
    case 2: p = &c2; break;
    case 3: p = &c3; break;
    case 4: p = &c4; break;
    case 5: p = &c5; break;
    case 6: p = &c6; break;
    case 7: p = &c7; break;
    case 8: p = &c8; break;
    case 9: p = &c9; break;
    case 10: p = &c10; break;
    case 11: p = &c11; break;
    case 12: p = &c12; break;
    case 13: p = &c13; break;
    case 14: p = &c14; break;
    case 15: p = &c15; break;
    case 16: p = &c16; break;
    case 17: p = &c17; break;
    }
    if (p == 0 || p == &c18)
        *(int *)0 = 1;
    return 0;
}
