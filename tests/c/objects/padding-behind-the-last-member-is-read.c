//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// There are four bytes behind the last member.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->next = 0;
    node->value = 1;
    int tail;
    memcpy(&tail, (char *)node + 12, sizeof tail);
    free(node);
    if (tail) //~ may uninitialised
        return 1;
    return 0;
}
