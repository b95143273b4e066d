//@ engines: graph, tvl; verdict: unsafe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

struct context {
    struct node *kept;
};

typedef void visit(struct node *node, void *data);

static void each(struct node *list, visit *function, void *data)
{
    while (list) {
        struct node *next = list->next; //~ use-after-free
        function(list, data);
        list = next;
    }
}

static void walk(struct node *list, visit *function, void *data)
{
    each(list, function, data);
}

static void keep_some(struct node *node, void *data)
{
    struct context *context = data;
    if (node->value > 3) {
        node->next = context->kept;
        context->kept = node;
    } else {
        free(node);
    }
}

static void release(struct node *node, void *data)
{
    (void)data;
    free(node);
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    struct context context = { NULL };
    walk(list, keep_some, &context);
    walk(list, release, NULL);
    return 0; //~ leak
}
