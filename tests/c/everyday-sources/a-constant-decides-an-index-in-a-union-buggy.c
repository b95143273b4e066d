//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>

static const int amount = 12;
union any {
    int x;
    unsigned long raw;
    char bytes[8];
};

int main(void) {
    int n = amount;
    union any any;
    any.raw = 0;
    any.x = n;
    if (any.x < 1 || any.x > 20)
        return 1;
    int *values = malloc(8 * sizeof(int));
    if (!values)
        return 1;
    for (int i = 0; i < any.x; i++)
        values[i] = i; //~ out-of-bounds
    free(values);
    return 0;
}
