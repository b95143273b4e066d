//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };

int main(void)
{
    struct n *head = NULL, **pp;
    for (int i = 0; i < 5; i++) {
        struct n *x = malloc(sizeof *x);
        if (!x)
            break;
        x->v = __VERIFIER_nondet_int();
        x->next = head;
        head = x;
    }
    pp = &head;
    while (*pp) {
        if ((*pp)->v < 0) {
            struct n *dead = *pp;
            *pp = dead->next;
            free(dead);
        } else {
            pp = &(*pp)->next;
        }
    }
    while (head) {
        struct n *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
