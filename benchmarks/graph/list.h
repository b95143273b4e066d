/* What the list programs share. */
#ifndef LIST_H
#define LIST_H

#include "heapwise.h"
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

/* A new cell, or the program stops. */
static inline struct node *new_node(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->data = __VERIFIER_nondet_int();
    node->next = next;
    return node;
}

/* A null-terminated list of any length. */
static inline struct node *make_list(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = new_node(list);
    return list;
}

static inline void free_list(struct node *list)
{
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

/* A cycle of one or more cells. */
static inline struct node *make_cycle(void)
{
    struct node *cycle = new_node(NULL);
    cycle->next = cycle;
    while (__VERIFIER_nondet_int())
        cycle->next = new_node(cycle->next);
    return cycle;
}

static inline void free_cycle(struct node *cycle)
{
    struct node *rest = cycle->next;
    cycle->next = NULL;
    free_list(rest);
}

#endif
