//@ engines: explicit, graph, tvl, auto; verdict: safe
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
    memcpy(bytes, node, sizeof *node);
    free(node);
    return 0;
}
