//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
#include <stdlib.h>
struct node { struct node *next; int value; };
static void push(int depth);
static void pop(int depth);
static void (*even)(int) = push, (*odd)(int) = pop;
static struct node *list;
static void push(int depth)
{
    struct node *new;
    if (depth > 3 || !(new = malloc(sizeof *new)))
        return;
    new->next = list;
    list = new;
    odd(depth + 1);
}
static void pop(int depth)
{
    if (depth > 3)
        return;
    if (list) {
        struct node *old = list;
        list = list->next;
        free(old);
        if (depth == 3)
            old->value = 1; //~ use-after-free
    }
    even(depth + 1);
}
int main(void)
{
    even(0);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
