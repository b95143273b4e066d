//@ engines: tvl; verdict: safe
#include <heapwise.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *lists[2];

static void push(int which, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return;
    node->value = value;
    node->next = lists[which];
    lists[which] = node;
}

static void clear(struct node *list)
{
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        push(value < 0, value);
    }
    hw_assert_disjoint(lists[0], lists[1]);
    clear(lists[0]);
    clear(lists[1]);
    return 0;
}
