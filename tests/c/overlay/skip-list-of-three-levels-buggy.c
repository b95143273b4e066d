//@ engines: overlay; verdict: unsafe
// Three links, each list a part of the one below.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *n1, *n2, *n3;
};

static struct node *make(int key)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->key = key;
    node->n1 = node->n2 = node->n3 = NULL;
    return node;
}

int main(void)
{
    struct node *head = make(0);
    while (__VERIFIER_nondet_int()) {
        struct node *node = make(__VERIFIER_nondet_int());
        int level = __VERIFIER_nondet_int();
        node->n1 = head->n1;
        head->n1 = node;
        if (level > 1) {
            node->n2 = head->n2;
            head->n2 = node;
        }
        if (level > 2) {
            node->n3 = head->n3;
            head->n3 = node;
        }
    }
    int n = 0;
    for (struct node *node = head->n3; node; node = node->n3)
        n += node->key;
    while (head) {
        struct node *next = head->n2;
        free(head); //~ leak
        head = next;
    }
    return n;
}
