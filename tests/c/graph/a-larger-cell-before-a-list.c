//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct small { struct small *next; int v; };
struct large { struct large *next; int v; int w[4]; };

int main(void) {
    struct small *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct small *n = malloc(sizeof *n);
        if (!n) break;
        n->v = 1;
        n->next = list;
        list = n;
    }
    struct large *head = malloc(sizeof *head);
    if (head) {
        head->v = 0;
        head->next = (struct large *)list;
        list = (struct small *)head;
    }
    for (struct small *p = list; p; p = p->next) p->v = 2;
    while (list) {
        struct small *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
