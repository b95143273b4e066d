//@ engines: explicit, graph, tvl; verdict: unsafe
// To convert a value that was never written is to copy it: the error is where somebody asks what it is.
extern int __VERIFIER_nondet_int(void);

static int asked(void)
{
    int number;
    char letter = number;
    if (letter > 3) //~ uninitialised
        return 1;
    number = __VERIFIER_nondet_int();
    return number == 3;
}

static int asked_on_some_way(void)
{
    long number;
    if (__VERIFIER_nondet_int())
        number = __VERIFIER_nondet_int();
    int narrow = number;
    unsigned short narrower = narrow;
    return narrower == 7; //~ uninitialised
}

static int not_asked(void)
{
    unsigned number;
    unsigned char narrow = number;
    if (__VERIFIER_nondet_int())
        narrow = 3;
    else
        narrow = __VERIFIER_nondet_int() & 1;
    return narrow > 1;
}

int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 0:
        return asked();
    case 1:
        return asked_on_some_way();
    default:
        return not_asked();
    }
}
