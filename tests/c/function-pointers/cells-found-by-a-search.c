//@ engines: graph, tvl; verdict: safe
// Which element of a short array a search finds is any, or none.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *make(int value)
{
    struct node *made = malloc(sizeof *made);
    if (!made)
        abort();
    made->value = value;
    made->next = NULL;
    return made;
}

static int has_value(const void *key, const void *element)
{
    return *(const int *)key - (*(struct node *const *)element)->value;
}

int main(void)
{
    struct node *nodes[2] = { make(1), make(2) };
    int key = __VERIFIER_nondet_int();
    struct node **found = bsearch(&key, nodes, 2, sizeof *nodes, has_value);
    if (found)
        (*found)->value = 3;
    free(nodes[0]);
    free(nodes[1]);
    return 0;
}
