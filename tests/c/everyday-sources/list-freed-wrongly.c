//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
    struct node *head = NULL;
    int x;
    while (scanf("%d", &x) == 1) {
        struct node *n = malloc(sizeof *n);
        if (n == NULL)
            break;
        n->v = x;
        n->next = head;
        head = n;
    }
    for (struct node *p = head, *q; p != NULL; p = q) {
        q = p->next;
        free(p);
    }
    return 0;
}
