//@ engines: explicit; verdict: safe
// Comparing a list with its copy, node by node, but for the last one.
#include <assert.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *next;
};

static struct node *cons(int key, struct node *next)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return next;
    node->key = key;
    node->next = next;
    return node;
}

static int length(const struct node *list)
{
    return list ? 1 + length(list->next) : 0;
}

static struct node *reverse(struct node *list)
{
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

static int common(const struct node *a, const struct node *b)
{
    int count = 0;
    while (a && b) {
        if (a->key == b->key)
            count++;
        a = a->next;
        b = b->next;
    }
    return count;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = cons(1, cons(2, cons(1, NULL)));
    struct node *copy = NULL;
    for (const struct node *node = list; node; node = node->next)
        copy = cons(node->key, copy);
    if (length(copy) == length(list)) {
        copy = reverse(copy);
        assert(common(list, copy) == length(list));
    }
    destroy(list);
    destroy(copy);
    return 0;
}
