//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *l, int v) {
    struct node *n = malloc(sizeof(struct node));
    if (n == NULL)
        return l;
    n->value = v;
    n->next = l;
    return n;
}
static struct node *drop(struct node *l, int v) {
    struct node **link = &l;
    while (*link) {
        struct node *n = *link;
        if (n->value == v) {
            *link = n->next;
            free(n);
        } else
            link = &n->next;
    }
    return l;
}
int main(void) {
    struct node *l = NULL;
    int v;
    while (scanf("%d", &v) == 1)
        l = push(l, v);
    l = drop(l, 3);
    while (l) {
        struct node *n = l->next;
        printf("%d\n", l->value);
        free(l);
        l = n;
    }
    return 0;
}
