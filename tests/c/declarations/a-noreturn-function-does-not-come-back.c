//@ engines: explicit, graph, tvl, overlay; verdict: safe
void exit(int);
extern int __VERIFIER_nondet_int(void);

_Noreturn static void die(int c) {
    if (c)
        exit(c);
    exit(1);
}

int main(void) {
    int *p = 0;
    if (__VERIFIER_nondet_int())
        die(2);
    else
        return 0;
    return *p;
}
