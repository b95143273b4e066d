//@ engines: explicit; verdict: unknown
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    volatile long number = 9007199254740993;
    if ((long)(long double)number == number)
        free(p);
    return 0;
}
