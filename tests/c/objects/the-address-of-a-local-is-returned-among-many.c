//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// A set of addresses that is full is not complete.
extern int __VERIFIER_nondet_int(void);
static long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16;

static long *choose(int which)
{
    long local = 0;
    switch (which) {
    case 0: return &b0;
    case 1: return &b1;
    case 2: return &b2;
    case 3: return &b3;
    case 4: return &b4;
    case 5: return &b5;
    case 6: return &b6;
    case 7: return &b7;
    case 8: return &b8;
    case 9: return &b9;
    case 10: return &b10;
    case 11: return &b11;
    case 12: return &b12;
    case 13: return &b13;
    case 14: return &b14;
    case 15: return &b15;
    case 16: return &b16;
    }
    long *result = &local;
    return result; //~ dangling-return
}

int main(void)
{
    return choose(__VERIFIER_nondet_int()) == 0;
}
