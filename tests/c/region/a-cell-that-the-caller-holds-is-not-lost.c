//@ engines: explicit, graph, tvl, overlay, region; verdict: safe
//@ args: --property heap
#include <stdlib.h>

struct node { struct node *next; };
static struct node *top;

static void drop(int code)
{
    top = NULL;
    if (code)
        exit(code);
}

int main(int argc, char **argv)
{
    struct node *own = malloc(sizeof *own);
    if (!own)
        return 0;
    own->next = NULL;
    top = own;
    drop(argc > 2);
    free(own);
    return 0;
}
