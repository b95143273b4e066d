//@ engines: overlay; verdict: unsafe
// Linux hlist: each node knows the link that leads to it.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct hlist_node {
    struct hlist_node *next, **pprev;
};

struct hlist_head {
    struct hlist_node *first;
};

struct entry {
    int key;
    struct hlist_node hash;
};

#define entry_of(node) ((struct entry *)((char *)(node) - __builtin_offsetof(struct entry, hash)))

static void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
    struct hlist_node *first = head->first;
    node->next = first;
    if (first)
        first->pprev = &node->next;
    head->first = node;
    node->pprev = &head->first;
}

static void hlist_del(struct hlist_node *node)
{
    struct hlist_node *next = node->next;
    struct hlist_node **pprev = node->pprev;
    *pprev = next;
    next->pprev = pprev; //~ null-deref
}

int main(void)
{
    struct hlist_head head = { NULL };
    while (__VERIFIER_nondet_int()) {
        struct entry *entry = malloc(sizeof *entry);
        if (!entry)
            break;
        entry->key = __VERIFIER_nondet_int();
        hlist_add_head(&entry->hash, &head);
    }
    int wanted = __VERIFIER_nondet_int();
    struct hlist_node *at = head.first;
    while (at) {
        struct hlist_node *next = at->next;
        struct entry *entry = entry_of(at);
        if (entry->key == wanted) {
            hlist_del(at);
            free(entry);
        }
        at = next;
    }
    while (head.first) {
        struct entry *entry = entry_of(head.first);
        hlist_del(head.first);
        free(entry);
    }
    return 0;
}
