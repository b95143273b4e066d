//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The cell ends before the copy does.
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};
struct wide {
    struct node node;
    int more[4];
};

int main(void)
{
    struct wide wide = { { 0, 1 }, { 0 } };
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    memcpy(node, &wide, sizeof wide); //~ out-of-bounds
    free(node);
    return 0;
}
