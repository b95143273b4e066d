//@ engines: tvl; verdict: unsafe
/* The first node is removed but still the head. */
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
    struct node *prev;
};

struct list {
    struct node *head;
    struct node *tail;
};

static struct node *node_new(int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        abort();
    node->value = value;
    node->next = NULL;
    node->prev = NULL;
    return node;
}

static void push_front(struct list *list, int value)
{
    struct node *node = node_new(value);
    node->next = list->head;
    if (list->head != NULL)
        list->head->prev = node;
    else
        list->tail = node;
    list->head = node;
}

static void clear(struct list *list)
{
    while (list->head != NULL) {
        struct node *next = list->head->next;
        free(list->head);
        list->head = next;
    }
    list->tail = NULL;
}

static void build(struct list *list)
{
    list->head = NULL;
    list->tail = NULL;
    while (__VERIFIER_nondet_int())
        push_front(list, __VERIFIER_nondet_int());
}

static void remove_node(struct list *list, struct node *node)
{
    if (node->prev != NULL)
        node->prev->next = node->next;
    if (node->next != NULL)
        node->next->prev = node->prev;
    else
        list->tail = node->prev;
    free(node);
}

int main(void)
{
    struct list list;
    build(&list);
    struct node *at = list.head;
    while (at != NULL && at->value != 7)
        at = at->next;
    if (at != NULL)
        remove_node(&list, at);
    hw_assert_dll(list.head); //~ shape
    clear(&list);
    return 0;
}
