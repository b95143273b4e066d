//@ engines: overlay; verdict: unsafe
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *push(struct node *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    return node;
}

static void release(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

struct action {
    enum { NOTHING, CHANGE, TAKE } kind;
    union {
        struct node *(*change)(struct node *);
        struct node *taken;
    } u;
};

static struct node *act(struct action *action, struct node *list)
{
    switch (action->kind) {
    case CHANGE:
        return action->u.change(list);
    case TAKE:
        if (list) {
            action->u.taken = list;
            free(action->u.taken); //~ may leak
            list = list->next; //~ use-after-free
        }
        return list;
    default:
        return list;
    }
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct action action;
        if (__VERIFIER_nondet_int()) {
            action.kind = CHANGE;
            action.u.change = push;
        } else {
            action.kind = TAKE;
        }
        list = act(&action, list);
    }
    release(list);
    return 0;
}
