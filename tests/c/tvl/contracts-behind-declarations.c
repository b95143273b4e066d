//@ engines: tvl; verdict: safe
/* Contracts behind declarations: calls go by them, and a body of which there is one is held to them, whatever names its
   parameters have. Those without a body are trusted, and named as assumptions. */
#include <heapwise.h>
#include <stdlib.h>
struct node {
    struct node *next;
    int value;
};
struct node *push(struct node *list, int value)
    hw_requires("acyclic(list)")
    hw_ensures("acyclic(result) && result && result->next == list && fresh(result)")
    hw_ensures("forall v: reach(result, v) <==> "
               "old(reach(list, v)) || v == result");
struct node *reversed(struct node *) __attribute__((warn_unused_result));
struct node *reversed(struct node *list)
    hw_requires("acyclic(list)")
    hw_ensures("acyclic(result) && (list ==> result)")
    hw_ensures("forall v: reach(result, v) <==> old(reach(list, v))");
void free_all(struct node *list)
    hw_requires("acyclic(list)")
    hw_ensures("forall v: old(reach(list, v)) ==> freed(v)");

void free_all(struct node *first)
{
    while (first) {
        struct node *next = first->next;
        free(first);
        first = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, i);
    list = reversed(list);
    if (list)
        list->value = 0;
    free_all(list);
    return 0;
}
