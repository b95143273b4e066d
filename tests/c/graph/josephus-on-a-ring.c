//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <stdio.h>
#include "heapwise.h"
extern int __VERIFIER_nondet_int(void);
struct soldier { int number; struct soldier *next; };

int main(void)
{
    int n = __VERIFIER_nondet_int(), m = 3, i;
    struct soldier *first, *last, *cur;
    first = malloc(sizeof *first);
    if (!first)
        return EXIT_FAILURE;
    first->number = 1;
    first->next = first;
    last = first;
    for (i = 2; i <= n; i++) {
        struct soldier *s = malloc(sizeof *s);
        if (!s)
            break;
        s->number = i;
        s->next = first;
        last->next = s;
        last = s;
    }
    hw_assert_cyclic(first);
    cur = last;
    while (cur != cur->next) {
        struct soldier *victim;
        for (i = 1; i < m; i++)
            cur = cur->next;
        victim = cur->next;
        if (victim == cur)
            break;
        cur->next = victim->next;
        printf("%d out\n", victim->number);
        free(victim);
    }
    printf("survivor %d\n", cur->number);
    free(cur);
    return 0;
}
