//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
// The only field of the cell is a link, and the library reads its bytes.
#include <stdlib.h>
#include <time.h>

struct node { struct node *next; };

int main(void)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    ctime((time_t *)node); //~ uninitialised
    free(node);
    return 0;
}
