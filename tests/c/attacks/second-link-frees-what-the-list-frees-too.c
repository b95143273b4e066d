//@ engines: tvl; verdict: unsafe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *other; };
int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        if (!new)
            break;
        new->next = list;
        new->other = list;
        list = new;
    }
    while (list) {
        struct node *next = list->next; //~ use-after-free
        if (list->other)
            free(list->other);
        free(list);
        list = next;
    }
    return 0;
}
