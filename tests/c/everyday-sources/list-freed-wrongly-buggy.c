//@ engines: auto; verdict: unsafe
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
    for (struct node *p = head; p != NULL; p = p->next) //~ use-after-free
        free(p);
    return 0;
}
