//@ engines: tvl; verdict: unsafe
/* The list that was spliced still has its nodes, and frees them again. */
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
        struct node *next = list->head->next; //~ use-after-free
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

/* All nodes of `other` go behind `at`. */
static void splice(struct list *list, struct node *at, struct list *other)
{
    if (other->head == NULL)
        return;
    struct node *behind = at->next;
    at->next = other->head;
    other->head->prev = at;
    other->tail->next = behind;
    if (behind != NULL)
        behind->prev = other->tail;
    else
        list->tail = other->tail;
}

int main(void)
{
    struct list list, other;
    build(&list);
    build(&other);
    if (list.head != NULL) {
        struct node *at = list.head;
        while (at->next != NULL && __VERIFIER_nondet_int())
            at = at->next;
        splice(&list, at, &other);
    }
    hw_assert_dll(list.head);
    clear(&list);
    clear(&other);
    return 0;
}
