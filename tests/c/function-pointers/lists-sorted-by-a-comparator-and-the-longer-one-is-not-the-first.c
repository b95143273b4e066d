//@ engines: graph, tvl; verdict: unsafe
// The longer list is the first one, and then it is not.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *make(int value, struct node *next)
{
    struct node *made = malloc(sizeof *made);
    if (!made)
        abort();
    made->value = value;
    made->next = next;
    return made;
}

static int by_value(const void *left, const void *right)
{
    return (*(struct node *const *)left)->value - (*(struct node *const *)right)->value;
}

int main(void)
{
    struct node *lists[2] = { make(2, make(3, NULL)), make(1, NULL) };
    qsort(lists, 2, sizeof *lists, by_value);
    struct node *rest = lists[0]->next;
    free(lists[0]);
    free(lists[1]); //~ leak
    free(rest);
    return 0;
}
