//@ engines: graph; verdict: safe
#include <stdlib.h>
struct node { long key; char tag[8]; struct node *link; };
extern unsigned __VERIFIER_nondet_uint(void);

static struct node *cons(long key, struct node *rest)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL)
        abort();
    n->key = key;
    n->tag[0] = 'x';
    n->tag[1] = '\0';
    n->link = rest;
    return n;
}

static struct node *filter(struct node *head, long limit)
{
    while (head && head->key > limit) {
        struct node *gone = head;
        head = head->link;
        free(gone);
    }
    for (struct node *at = head; at; ) {
        struct node *succ = at->link;
        if (succ && succ->key > limit) {
            at->link = succ->link;
            free(succ);
        } else {
            at = succ;
        }
    }
    return head;
}

int main(void)
{
    struct node *list = 0;
    unsigned i, n = __VERIFIER_nondet_uint();
    for (i = 0; i < n; i++)
        list = cons((long)i, list);
    list = filter(list, 17);
    for (; list; ) {
        struct node *t = list->link;
        free(list);
        list = t;
    }
    return 0;
}
