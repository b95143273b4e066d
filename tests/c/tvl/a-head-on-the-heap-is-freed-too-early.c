//@ engines: tvl; verdict: unsafe
// The head of the second list is freed while its tail pointer is still needed.
#include <stdlib.h>
#include <stdio.h>
typedef struct node { int v; struct node *next; } node_t;
typedef struct { node_t *head; node_t *tail; unsigned n; } list_t;
static list_t *list_new(void) { list_t *l = malloc(sizeof *l); if (!l) exit(1); l->head = l->tail = NULL; l->n = 0; return l; }
static void append(list_t *l, int v) {
    node_t *n = malloc(sizeof *n);
    if (!n) { perror("malloc"); exit(1); }
    n->v = v; n->next = NULL;
    if (l->tail) l->tail->next = n; else l->head = n;
    l->tail = n; l->n++;
}
static void concat(list_t *a, list_t *b) {
    if (!b->head) { free(b); return; }
    if (a->tail) a->tail->next = b->head; else a->head = b->head;
    free(b);
    a->tail = b->tail; //~ use-after-free
}
static void destroy(list_t *l) {
    node_t *p = l->head;
    while (p) { node_t *q = p->next; free(p); p = q; }
    free(l);
}
int main(int argc, char **argv) {
    list_t *a = list_new(), *b = list_new();
    for (int i = 0; i < argc; i++) append(a, i);
    for (int i = 0; i < argc; i++) append(b, i);
    concat(a, b);
    destroy(a);
    return 0;
}
