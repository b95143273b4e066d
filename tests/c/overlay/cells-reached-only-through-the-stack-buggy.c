//@ engines: overlay; verdict: unsafe
// Nodes on the stack lead to heap cells, and nothing else does.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int *data;
};

int main(void)
{
    struct node first = {NULL, NULL}, second = {NULL, NULL};
    first.next = &second;
    second.data = malloc(sizeof(int));
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->data = malloc(sizeof(int));
        node->next = second.next;
        second.next = node;
    }
    struct node *node = &first;
    while (node) {
        struct node *next = node->next;
        free(node->data);
        if (node != &first)
            free(node); //~ invalid-free
        node = next;
    }
    return 0;
}
