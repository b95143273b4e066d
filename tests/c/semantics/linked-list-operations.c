//@ differential
#include <stdio.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *cons(int v, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(1);
    n->v = v;
    n->next = next;
    return n;
}

static struct node *reverse(struct node *l)
{
    struct node *r = NULL;
    while (l) {
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *head, **tail = &head;
    while (a && b) {
        struct node **least = a->v <= b->v ? &a : &b;
        *tail = *least;
        *least = (*least)->next;
        tail = &(*tail)->next;
    }
    *tail = a ? a : b;
    return head;
}

static struct node *sort(struct node *l)
{
    if (!l || !l->next)
        return l;
    struct node *slow = l, *fast = l->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *second = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(second));
}

static void show(const struct node *l)
{
    for (; l; l = l->next)
        printf("%d ", l->v);
    printf("\n");
}

int main(void)
{
    struct node *l = NULL;
    unsigned x = 12345;
    for (int i = 0; i < 12; i++) {
        x = x * 1103515245 + 12345;
        l = cons((x >> 16) % 100, l);
    }
    show(l);
    l = reverse(l);
    show(l);
    l = sort(l);
    show(l);
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
