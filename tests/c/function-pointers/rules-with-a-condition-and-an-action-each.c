//@ engines: graph, tvl; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

struct rule {
    int (*matches)(const struct node *);
    struct node *(*act)(struct node *);
};

static int is_negative(const struct node *node) {
    return node->key < 0;
}

static int is_large(const struct node *node) {
    return node->key > 100;
}

static struct node *discard(struct node *node) {
    free(node);
    return NULL;
}

static struct node *keep(struct node *node) {
    return node;
}

static const struct rule rules[] = { { is_negative, discard }, { is_large, keep }, { NULL, NULL } };

static struct node *apply(struct node *node) {
    for (const struct rule *rule = rules; rule->matches; rule++) {
        if (rule->matches(node)) {
            node = rule->act(node);
            if (!node)
                break;
        }
    }
    return node;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->key = __VERIFIER_nondet_int();
        node = apply(node);
        if (!node)
            continue;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
