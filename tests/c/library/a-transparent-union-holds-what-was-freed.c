//@ engines: explicit, overlay; verdict: unsafe
#include <stdlib.h>

typedef union {
    int *numbers;
    char *text;
} either __attribute__((transparent_union));

static int first(either given)
{
    either *kept = &given;
    return kept->numbers != NULL ? *given.numbers : 0; //~ use-after-free
}

int main(void)
{
    int (*called)(either) = first;
    int *one = malloc(sizeof *one);
    if (one == NULL)
        return first(one);
    *one = 1;
    free(one);
    return called((either){ .numbers = one });
}
