//@ engines: explicit, graph, tvl; verdict: safe
// A value that was never written may be copied into a wider variable, as long as nobody looks at it.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    short number;
    long wide = number;
    number = (short)__VERIFIER_nondet_int();
    if (number > 3)
        wide = number;
    else
        wide = 0;
    return wide > 7;
}
