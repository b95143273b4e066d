//@ engines: graph; verdict: safe
#include <stdlib.h>
#include "heapwise.h"
int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
static struct node *make(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    return l;
}
static void drop(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}
enum command { PUSH, POP, ROTATE, CLEAR, QUIT };
int main(void)
{
    struct node *stack = NULL, *n;
    int running = 1;
    while (running) {
        enum command c = (enum command)(__VERIFIER_nondet_int() & 7);
        switch (c) {
        case PUSH:
            if ((n = malloc(sizeof *n)) != NULL) {
                n->v = (int)c;
                n->next = stack;
                stack = n;
            }
            break;
        case POP:
            if (stack) {
                n = stack->next;
                free(stack);
                stack = n;
            }
            break;
        case ROTATE:
            if (stack && stack->next) {
                n = stack;
                stack = stack->next;
                n->next = stack->next;
                stack->next = n;
            }
            break;
        case CLEAR:
            drop(stack);
            stack = NULL;
            break;
        case QUIT:
            running = 0;
            break;
        default:
            break;
        }
    }
    drop(stack);
    return 0;
}
