//@ engines: region; verdict: unknown
//@ args: --property heap
// `insert` makes a way longer, if it only knew that `child` leads back: both cells are lost.
#include <stdlib.h>

struct node {
    struct node *next, *child;
};

static void insert(struct node *p, struct node *v) {
    v->next = p->next;
    p->next = v;
}

int main(void) {
    struct node *p = malloc(sizeof *p), *v = malloc(sizeof *v);
    if (!p || !v)
        abort();
    p->next = p->child = v->next = NULL;
    v->child = p;
    insert(p, v);
    return 0;
}
