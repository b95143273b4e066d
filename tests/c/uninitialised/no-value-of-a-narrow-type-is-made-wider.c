//@ engines: explicit, graph, tvl; verdict: unsafe
// No value of a narrow type is none of a wider one: who asks what it is fails, whether or not the variable gets a value elsewhere.
extern int __VERIFIER_nondet_int(void);

static int of_char(void)
{
    char letter;
    if (0 != letter) //~ uninitialised
        return 1;
    letter = (char)(__VERIFIER_nondet_int() & 3);
    return letter;
}

static int of_unsigned(void)
{
    unsigned number;
    long wide = number;
    if (wide != 3) //~ uninitialised
        return 1;
    number = (unsigned)__VERIFIER_nondet_int();
    return (int)number;
}

static int on_some_way(void)
{
    unsigned char mark;
    if (__VERIFIER_nondet_int())
        mark = (unsigned char)__VERIFIER_nondet_int();
    if (mark == 77) //~ uninitialised
        return 1;
    return 0;
}

static int passed(long wide)
{
    return wide > 3; //~ uninitialised
}

static int of_short(void)
{
    short number;
    if (__VERIFIER_nondet_int())
        number = (short)__VERIFIER_nondet_int();
    return passed(number);
}

int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 0:
        return of_char();
    case 1:
        return of_unsigned();
    case 2:
        return on_some_way();
    default:
        return of_short();
    }
}
