//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// One byte of four was written.
#include <stdlib.h>

struct node {
    struct node *next;
    union {
        char letter;
        int number;
    } as;
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->next = 0;
    node->as.letter = 'a';
    int number = node->as.number;
    free(node);
    if (number) //~ may uninitialised
        return 1;
    return 0;
}
