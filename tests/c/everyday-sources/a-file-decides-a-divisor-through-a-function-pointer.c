//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int use(int value) {
    int total = 340;
    if (value <= 0)
        return 1;
    total = total % value;
    printf("%d\n", total);
    return 0;
}

struct operations {
    int (*run)(int);
};

static const struct operations operations = { use };

int main(void) {
    char line[64];
    if (!fgets(line, sizeof(line), stdin))
        return 1;
    int n = (int)strtol(line, NULL, 10);
    return operations.run(n);
}
