//@ engines: explicit; verdict: safe
// Destroying a list with the classic for loop that steps from the freed node.
#include <stdlib.h>

struct node {
    struct node *next;
    long payload;
};

static struct node *build(int n)
{
    struct node *list = NULL;
    while (n-- > 0) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->payload = n;
        node->next = list;
        list = node;
    }
    return list;
}

static void release(struct node *node)
{
    free(node);
}

static void destroy(struct node *list)
{
    for (struct node *node = list, *next; node; node = next) {
        next = node->next;
        release(node);
    }
}

int main(void)
{
    struct node *list = build(3);
    destroy(list);
    return 0;
}
