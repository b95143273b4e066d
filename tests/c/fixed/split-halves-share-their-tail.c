//@ engines: explicit; verdict: safe
// Splitting a list in two: the first half must end where the second begins.
#include "heapwise.h"
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *build(int count)
{
    struct node *list = NULL;
    while (count-- > 0) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->value = count;
        node->next = list;
        list = node;
    }
    return list;
}

static struct node *split(struct node *list)
{
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *second = slow->next;
    slow->next = NULL;
    return second;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *first = build(4);
    if (!first)
        return 1;
    struct node *second = split(first);
    hw_assert_disjoint(first, second);
    destroy(first);
    destroy(second);
    return 0;
}
