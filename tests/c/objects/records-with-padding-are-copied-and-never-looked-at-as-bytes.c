//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <stdlib.h>

struct mixed {
    char letter;
    int number;
};
struct node {
    struct node *next;
    struct mixed mixed;
};

int main(void)
{
    struct mixed mixed;
    mixed.letter = 'a';
    mixed.number = 1;
    struct node *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);
    if (one && two) {
        one->mixed = mixed;
        *two = *one;
        if (two->next)
            *(int *)0 = 1;
        mixed = two->mixed;
    }
    free(one);
    free(two);
    return mixed.number;
}
