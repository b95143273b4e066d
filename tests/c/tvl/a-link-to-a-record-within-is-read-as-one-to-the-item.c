//@ engines: tvl; verdict: unknown
/* The link holds a pointer into the item, and is read as one to its start: not followed, for the free fails. */
#include <stddef.h>
#include <stdlib.h>
struct link { struct link *next; };
struct item { long id; struct link link; };
int main(void)
{
    struct item *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (a == NULL || b == NULL)
        exit(1);
    b->link.next = NULL;
    a->link.next = &b->link;
    struct item *c = *(struct item **)&a->link.next;
    free(c);
    free(a);
    return 0;
}
