//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    if (!ring)
        return 1;
    ring->next = ring;
    ring = NULL; //~ leak
    return 0;
}
