//@ engines: graph; verdict: unknown
/* A record with two links to itself: the place and the reason are named, and nothing is claimed. */
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
};

int main(void)
{
    struct node *node = calloc(1, sizeof *node);
    free(node);
    return 0;
}
