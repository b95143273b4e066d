//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The target is an array, of which nothing is followed.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    char bytes[32];
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return 0;
    memcpy(bytes, node, sizeof bytes); //~ out-of-bounds
    free(node);
    return 0;
}
