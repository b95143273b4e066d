//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    struct item *next;
};

struct stack_operations {
    struct item *(*push)(struct item *top);
    struct item *(*pop)(struct item *top);
};

struct module {
    int version;
    struct {
        struct stack_operations stack;
        void (*clear)(struct item *top);
    } inner;
};

static struct item *push(struct item *top)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        return top;
    item->next = top;
    return item;
}

static struct item *pop(struct item *top)
{
    struct item *next = top->next;
    free(top);
    return next;
}

static void clear(struct item *top)
{
    while (top)
        top = pop(top);
}

static const struct module module = { 1, { { push, pop }, clear } };

int main(void)
{
    struct item *top = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            top = module.inner.stack.push(top);
        else if (top)
            top = module.inner.stack.pop(top);
    }
    module.inner.clear(top);
    return 0;
}
