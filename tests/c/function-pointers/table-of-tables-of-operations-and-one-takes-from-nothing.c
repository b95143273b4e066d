//@ engines: tvl; verdict: unsafe
// Neither the row nor the column is known.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void push(struct node **list)
{
    struct node *made = malloc(sizeof *made);
    if (!made)
        abort();
    made->next = *list;
    *list = made;
}

static void pop(struct node **list)
{
    struct node *first = *list;
    *list = first->next; //~ null-deref
    free(first);
}

static void stay(struct node **list)
{
    (void)list;
}

static void (*const operations[2][3])(struct node **) = { { push, pop, stay }, { stay, stay, push } };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        int row = __VERIFIER_nondet_int() ? 1 : 0;
        int column = __VERIFIER_nondet_int();
        if (column < 0 || column > 2)
            continue;
        operations[row][column](&list);
    }
    while (list)
        pop(&list);
    return 0;
}
