//@ engines: overlay; verdict: unsafe
// A tree of any arity: first child and next sibling.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct element {
    struct element *child;
    struct element *sibling;
    int tag;
};

static struct element *parse(void)
{
    struct element *first = NULL;
    while (__VERIFIER_nondet_int()) {
        struct element *element = malloc(sizeof *element);
        if (!element)
            break;
        element->tag = __VERIFIER_nondet_int();
        element->sibling = first;
        element->child = NULL;
        if (element->tag > 0)
            element->child = parse();
        first = element;
    }
    return first;
}

static void release(struct element *element)
{
    while (element) {
        struct element *next = element->sibling;
        if (element->child && element->child->child)
            release(element->child);
        free(element); //~ leak
        element = next;
    }
}

int main(void)
{
    release(parse());
    return 0;
}
