//@ engines: refine; verdict: unsafe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { int v; struct node *next; } node_t;
static int push(node_t **head, int v) {
    node_t *n = malloc(sizeof(node_t));
    if (n == NULL) return -1;
    n->v = v; n->next = *head; *head = n;
    return 0;
}
static int contains(const node_t *n, int v) {
    for (; n != NULL; n = n->next) if (n->v == v) return 1;
    return 0;
}
int main(void) {
    node_t *list = NULL;
    int rc = push(&list, 9);
    while (rc == 0 && __VERIFIER_nondet_int()) rc = push(&list, 1);
    if (list != NULL) assert(contains(list, 8));  //~ assert
    while (list != NULL) { node_t *t = list; list = list->next; free(t); }
    return 0;
}
