//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>

union any {
    char *x;
    unsigned long raw;
    char bytes[8];
};

int main(void) {
    int k = 16;
    int n = k - 4;
    union any any, other;
    any.x = malloc(20);
    other = any;
    if (other.x == NULL)
        return 1;
    other.x[0] = 0;
    if (n > 10) {
        free(other.x);
        other.x = NULL;
    }
    free(other.x);
    return 0;
}
