//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *add(struct node *list) {
    struct node *new = malloc(sizeof *new);
    if (!new)
        return list;
    new->key = 1;
    new->next = list;
    return new;
}

static struct node *take(struct node *list) {
    if (!list)
        return NULL;
    struct node *next = list->next;
    free(list);
    list->key = 0; //~ use-after-free
    return next;
}

static struct node *turn(struct node *list) {
    if (!list || !list->next)
        return list;
    struct node *second = list->next;
    list->next = second->next;
    second->next = list;
    return second;
}

static struct node *keep(struct node *list) {
    return list;
}

static void clear(struct node *list) {
    while (list)
        list = take(list);
}

static struct node *(*const operations[])(struct node *) = { add, take, turn, keep, add, take };

int main(void) {
    struct node *list = NULL;
    for (;;) {
        int code = __VERIFIER_nondet_int();
        if (code < 0 || code >= 6)
            break;
        list = operations[code](list);
    }
    clear(list);
    return 0;
}
