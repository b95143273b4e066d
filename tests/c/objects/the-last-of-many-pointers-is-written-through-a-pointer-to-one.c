//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// Whichever is written, `p17` is among them.
extern int __VERIFIER_nondet_int(void);
static int *p0, *p1, *p2, *p3, *p4, *p5, *p6, *p7, *p8, *p9, *p10, *p11, *p12, *p13, *p14, *p15, *p16, *p17;
static int value;

int main(void)
{
    int **p = &p0;
    switch (__VERIFIER_nondet_int()) {
    case 1: p = &p1; break;
    case 2: p = &p2; break;
    case 3: p = &p3; break;
    case 4: p = &p4; break;
    case 5: p = &p5; break;
    case 6: p = &p6; break;
    case 7: p = &p7; break;
    case 8: p = &p8; break;
    case 9: p = &p9; break;
    case 10: p = &p10; break;
    case 11: p = &p11; break;
    case 12: p = &p12; break;
    case 13: p = &p13; break;
    case 14: p = &p14; break;
    case 15: p = &p15; break;
    case 16: p = &p16; break;
    case 17: p = &p17; break;
    }
    *p = &value;
    if (p17)
        *(int *)0 = 1; //~ may null-deref
    return 0;
}
