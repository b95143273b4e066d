//@ engines: graph, tvl; verdict: unsafe
// What a search found is freed, and then it is freed once more as an element.
#include <stdlib.h>

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
    int key = 1;
    struct node **found = bsearch(&key, nodes, 2, sizeof *nodes, has_value);
    if (found)
        free(*found);
    free(nodes[0]); //~ double-free
    free(nodes[1]); //~ may double-free
    return 0;
}
