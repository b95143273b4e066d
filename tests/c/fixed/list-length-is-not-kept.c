//@ engines: explicit; verdict: safe
// A list that caches its length; one of the operations forgets to update it.
#include <assert.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct node {
    struct node *next, *prev;
};

struct list {
    struct node *first, *last;
    int length;
};

static void push_back(struct list *list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->next = NULL;
    node->prev = list->last;
    *(list->last ? &list->last->next : &list->first) = node;
    list->last = node;
    list->length++;
}

static void pop_back(struct list *list)
{
    struct node *node = list->last;
    if (!node)
        return;
    list->last = node->prev;
    *(list->last ? &list->last->next : &list->first) = NULL;
    list->length--;
    free(node);
}

static int count(const struct list *list)
{
    int length = 0;
    for (const struct node *node = list->first; node; node = node->next)
        length++;
    return length;
}

int main(void)
{
    struct list list = { NULL, NULL, 0 };
    for (int i = 0; i < 3; i++) {
        if (__VERIFIER_nondet_bool())
            push_back(&list);
        else
            pop_back(&list);
        assert(list.length == count(&list));
    }
    while (list.first)
        pop_back(&list);
    return 0;
}
