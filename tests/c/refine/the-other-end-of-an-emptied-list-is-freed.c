//@ engines: refine; verdict: unsafe
#include <stdlib.h>
#include <assert.h>
#include <stdbool.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { struct node *next, *prev; bool busy; } node;
typedef struct list { node *head; node *tail; } list;
static list *list_new(void) {
    list *l = malloc(sizeof(list));
    if (!l) exit(1);
    l->head = NULL; l->tail = NULL;
    return l;
}
static void list_append(list *l) {
    node *n = malloc(sizeof(node));
    if (!n) exit(1);
    n->busy = false; n->next = NULL; n->prev = l->tail;
    if (l->tail) l->tail->next = n; else l->head = n;
    l->tail = n;
}
int main(void) {
    list *l = list_new();
    while (__VERIFIER_nondet_int()) list_append(l);
    for (node *n = l->head; n; n = n->next) { assert(!n->busy); n->busy = true; }
    while (l->head) {
        node *n = l->head;
        assert(n->busy);
        l->head = n->next;
        if (l->head) l->head->prev = NULL; else free(l->tail);
        free(n);  //~ double-free
    }
    free(l);
    return 0;
}
