//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// Bytes of no member reach the link, and it is not what it was.
#include <stdlib.h>
#include <string.h>

struct padded {
    long first;
    char letter;
};
struct node {
    long first;
    struct node *next;
};

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->next = node;
    struct padded padded;
    memset(&padded, 0, sizeof padded);
    memcpy(node, &padded, sizeof padded);
    struct node *next = node->next;
    free(node);
    if (!next)
        *(int *)0 = 1; //~ may null-deref
    return 0;
}
