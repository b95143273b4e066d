//@ engines: tvl, auto; verdict: safe
// One wrapper, two records of two sizes.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct text *text;
};

struct text {
    long length;
};

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = allocate(sizeof *node);
        node->text = allocate(sizeof *node->text);
        node->text->length = 1;
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free(list->text);
        free(list);
        list = next;
    }
    return 0;
}
