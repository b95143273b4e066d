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

typedef struct node *(*change)(struct node *);

static struct node *pop(struct node *list)
{
    struct node *next;
    if (!list)
        return NULL;
    next = list->next;
    free(list);
    return next;
}

struct job {
    void *work;
};

static struct node *run(struct job *job, struct node *list)
{
    change work = (change)job->work;
    return work(list);
}

int main(void)
{
    struct node *list = NULL;
    struct job fill = { (void *)push }, empty = { (void *)pop };
    while (__VERIFIER_nondet_int())
        list = run(__VERIFIER_nondet_int() ? &fill : &empty, list);
    while (list)
        list = run(&empty, list);
    return 0;
}
