//@ engines: tvl; verdict: unknown
/* The record lies at two places of a cell: a pointer to the second one is not followed, for the free fails. */
#include <stddef.h>
#include <stdlib.h>
struct link { struct link *next; };
struct item { struct link one; struct link two; };
int main(void)
{
    struct item *a = malloc(sizeof *a);
    if (a == NULL)
        exit(1);
    a->one.next = &a->two;
    a->two.next = NULL;
    free(a->one.next);
    return 0;
}
