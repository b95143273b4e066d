//@ engines: graph, tvl; verdict: safe
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

static struct node *all;

static int is_filled(void)
{
    return all != NULL;
}

static int always(void)
{
    return 1;
}

static void add(void)
{
    all = push(all);
}

static void drop(void)
{
    struct node *first = all;
    all = first->next;
    free(first);
}

struct command {
    int (*may_run)(void);
    void (*run)(void);
};

static const struct command adds = { always, add };
static const struct command drops = { is_filled, drop };
static const struct command *const commands[] = { &adds, &drops };

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        const struct command *command = commands[__VERIFIER_nondet_int() ? 1 : 0];
        if (command->may_run())
            command->run();
    }
    release(all);
    return 0;
}
