//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>

static int process(int value) {
    if (value <= 0 || value > 1000)
        return 1;
    int *values = calloc((size_t)value, sizeof *values);
    if (values == NULL)
        return 1;
    for (int i = 0; i < value; i++)
        values[i] = i * 2;
    free(values);
    return 0;
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 12; i++)
        n++;
    return process(n);
}
