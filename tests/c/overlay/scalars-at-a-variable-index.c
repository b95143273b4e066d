//@ engines: overlay; verdict: safe
// A histogram in a record: scalars are forgotten, bounds are checked.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct histogram {
    unsigned n;
    unsigned counts[256];
};

int main(void)
{
    struct histogram *histogram = calloc(1, sizeof *histogram);
    if (!histogram)
        return 1;
    while (__VERIFIER_nondet_int()) {
        unsigned char byte = (unsigned char)__VERIFIER_nondet_int();
        histogram->counts[byte]++;
        histogram->n++;
    }
    unsigned most = 0;
    for (int i = 0; i < 256; i++)
        if (histogram->counts[i] > histogram->counts[most])
            most = (unsigned)i;
    unsigned result = histogram->counts[most];
    free(histogram);
    return (int)result;
}
