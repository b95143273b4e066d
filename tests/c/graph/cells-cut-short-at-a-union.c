//@ engines: graph, tvl; verdict: unknown
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
    struct node *next;
    int tag;
    union {
        char one[8];
        char many[32];
    } data;
};
static struct node *put(struct node *list, size_t bytes, int tag) {
    struct node *n = malloc(bytes);
    if (!n) return list;
    n->tag = tag;
    n->next = list;
    return n;
}
int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) list = put(list, sizeof(struct node), 1);
    list = put(list, offsetof(struct node, data) + 8, 0);
    while (__VERIFIER_nondet_int()) list = put(list, sizeof(struct node), 1);
    for (struct node *p = list; p; p = p->next) p->data.one[7] = 'x';
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
