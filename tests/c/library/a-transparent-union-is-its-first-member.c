//@ engines: explicit, overlay; verdict: safe
#include <stdlib.h>

typedef union {
    int *numbers;
    char *text;
} either __attribute__((transparent_union));

static int first(either given)
{
    either *kept = &given;
    return kept->numbers != NULL ? *given.numbers : 0;
}

int main(void)
{
    int (*called)(either) = first;
    int *one = malloc(sizeof *one);
    if (one == NULL)
        return first(one);
    *one = 1;
    int sum = first(one) + called((either){ .numbers = one }) + first((char *)one);
    free(one);
    return sum;
}
