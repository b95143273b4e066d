//@ engines: graph, tvl; verdict: safe
// The lists change their places, and each is freed from where it is then.
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
    for (int i = 0; i < 2; i++) {
        while (lists[i]) {
            struct node *next = lists[i]->next;
            free(lists[i]);
            lists[i] = next;
        }
    }
    return 0;
}
