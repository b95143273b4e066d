//@ engines: tvl; verdict: safe
/* One doubly linked list is hung behind another. */
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

static void concatenate(struct list *first, struct list *second)
{
    if (first->head == NULL) {
        *first = *second;
    } else if (second->head != NULL) {
        first->tail->next = second->head;
        second->head->prev = first->tail;
        first->tail = second->tail;
    }
    second->head = NULL;
    second->tail = NULL;
}

int main(void)
{
    struct list first, second;
    build(&first);
    build(&second);
    concatenate(&first, &second);
    hw_assert_dll(first.head);
    clear(&first);
    return 0;
}
