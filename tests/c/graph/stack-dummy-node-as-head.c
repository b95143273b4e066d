//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void)
{
    struct node head = { 0, NULL };
    struct node *tail = &head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = 1;
        n->next = NULL;
        tail->next = n;
        tail = n;
    }
    while (head.next) {
        struct node *n = head.next;
        head.next = n->next;
        free(n);
    }
    return 0;
}
