//@ engines: explicit, overlay; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int v;
    struct node *next;
};
struct queue {
    struct node *head, *tail;
};

static void put(struct queue *q, int v) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return;
    n->v = v;
    n->next = n;
    if (!q->head)
        q->head = n;
    else
        q->tail->next = n;
    q->tail = n;
}

static struct node *get(struct queue *q) {
    struct node *n = q->head;
    if (n)
        q->head = n->next; //~ use-after-free
    return n;
}

int main(void) {
    struct queue hot = {0}, cold = {0};
    while (__VERIFIER_nondet_int()) {
        struct queue *q = __VERIFIER_nondet_int() ? &hot : &cold;
        put(q, 1);
    }
    struct node *n;
    while ((n = get(&hot)))
        free(n);
    while ((n = get(&cold)))
        free(n);
    return 0;
}
