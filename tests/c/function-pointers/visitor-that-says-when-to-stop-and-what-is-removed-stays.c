//@ engines: graph, tvl; verdict: unsafe
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
        struct node *next = list->next; //~ use-after-free
        free(list);
        list = next;
    }
}

enum verdict { GO_ON, STOP, REMOVE };

struct visitor {
    enum verdict (*visit)(struct visitor *, struct node *);
    int left;
};

static enum verdict removes_some(struct visitor *visitor, struct node *node)
{
    (void)node;
    if (visitor->left == 0)
        return STOP;
    visitor->left--;
    return __VERIFIER_nondet_int() ? REMOVE : GO_ON;
}

static struct node *visit_all(struct node *list, struct visitor *visitor)
{
    struct node *at = list, *previous = NULL;
    while (at) {
        struct node *next = at->next;
        enum verdict verdict = visitor->visit(visitor, at);
        if (verdict == STOP)
            break;
        if (verdict == REMOVE) {
            if (previous)
                previous->next = next;
            free(at);
        } else {
            previous = at; //~ may leak
        }
        at = next;
    }
    return list; //~ leak
}

int main(void)
{
    struct node *list = NULL;
    struct visitor visitor = { removes_some, 3 };
    while (__VERIFIER_nondet_int())
        list = push(list);
    list = visit_all(list, &visitor);
    release(list);
    return 0;
}
