//@ engines: graph, tvl; verdict: unsafe
// The rest of the second list is lost.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int key;
    struct cell *next;
};

static int less(const struct cell *left, const struct cell *right)
{
    return left->key < right->key;
}

static int greater(const struct cell *left, const struct cell *right)
{
    return left->key > right->key;
}

static struct cell *list_of_some(void)
{
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        cell->key = __VERIFIER_nondet_int();
        cell->next = list;
        list = cell;
    }
    return list;
}

static struct cell *merged(struct cell *left, struct cell *right, int upwards)
{
    struct cell head = {0, NULL};
    struct cell *last = &head;
    while (left && right) {
        if ((upwards ? less : greater)(left, right)) {
            last->next = left;
            left = left->next;
        } else {
            last->next = right;
            right = right->next;
        }
        last = last->next;
    }
    last->next = left;
    return head.next;
    //~^ leak
}

int main(void)
{
    struct cell *list = merged(list_of_some(), list_of_some(), __VERIFIER_nondet_int());
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
