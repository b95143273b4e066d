//@ engines: explicit; verdict: safe
// A circular singly linked list, entered by its last node. Deleting that very node must move the entry.
#include <stdlib.h>

struct ring {
    int value;
    struct ring *next;
};

static struct ring *add(struct ring *last, int value)
{
    struct ring *node = malloc(sizeof *node);
    if (!node)
        return last;
    node->value = value;
    node->next = last ? last->next : node;
    if (last)
        last->next = node;
    return node;
}

static struct ring *delete(struct ring *last, int value)
{
    struct ring *before = last;
    do {
        struct ring *node = before->next;
        if (node->value == value) {
            if (node == before) {
                free(node);
                return NULL;
            }
            before->next = node->next;
            if (node == last)
                last = before;
            free(node);
            return last;
        }
        before = node;
    } while (before != last);
    return last;
}

int main(void)
{
    struct ring *last = NULL;
    for (int i = 1; i <= 3; i++)
        last = add(last, i);
    if (last)
        last = delete(last, 3);
    while (last)
        last = delete(last, last->next->value);
    return 0;
}
