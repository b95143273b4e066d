//@ differential
// A recursive-descent parser with a cursor passed by address.
#include <stdio.h>

static long expression(const char **p);

static void blanks(const char **p)
{
    while (**p == ' ')
        ++*p;
}

static long atom(const char **p)
{
    blanks(p);
    if (**p == '(') {
        ++*p;
        long v = expression(p);
        blanks(p);
        if (**p == ')')
            ++*p;
        return v;
    }
    if (**p == '-') {
        ++*p;
        return -atom(p);
    }
    long v = 0;
    while (**p >= '0' && **p <= '9')
        v = v * 10 + (*(*p)++ - '0');
    return v;
}

static long term(const char **p)
{
    long v = atom(p);
    for (;;) {
        blanks(p);
        switch (**p) {
        case '*': ++*p; v *= atom(p); break;
        case '/': {
            ++*p;
            long d = atom(p);
            v = d ? v / d : 0;
            break;
        }
        default: return v;
        }
    }
}

static long expression(const char **p)
{
    long v = term(p);
    for (;;) {
        blanks(p);
        if (**p == '+') {
            ++*p;
            v += term(p);
        } else if (**p == '-') {
            ++*p;
            v -= term(p);
        } else {
            return v;
        }
    }
}

int main(void)
{
    const char *inputs[] = { "1 + 2 * 3", "(1+2)*3 - -4", "100/7/2", "2*(3*(4+5)-6)", "7/0+1", "" };
    for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        const char *p = inputs[i];
        printf("%ld\n", expression(&p));
    }
    return 0;
}
