//@ engines: explicit; verdict: safe
// Unlinking from a null-terminated doubly linked list: the last node has no successor.
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct dnode {
    struct dnode *next, *prev;
    int value;
};

static struct dnode *head;

static void push_front(int value)
{
    struct dnode *node = malloc(sizeof *node);
    if (!node)
        return;
    node->value = value;
    node->prev = NULL;
    node->next = head;
    if (head)
        head->prev = node;
    head = node;
}

static void unlink_node(struct dnode *node)
{
    if (node->prev)
        node->prev->next = node->next;
    else
        head = node->next;
    if (node->next)
        node->next->prev = node->prev;
    free(node);
}

static struct dnode *last(void)
{
    struct dnode *node = head;
    while (node && node->next)
        node = node->next;
    return node;
}

static void clear(void)
{
    while (head) {
        struct dnode *next = head->next;
        free(head);
        head = next;
    }
}

int main(void)
{
    push_front(1);
    push_front(2);
    push_front(3);
    struct dnode *victim = __VERIFIER_nondet_bool() ? head : last();
    if (victim && (victim->next || __VERIFIER_nondet_bool()))
        unlink_node(victim);
    clear();
    return 0;
}
