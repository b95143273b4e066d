//@ engines: overlay; verdict: safe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = NULL;
    int n = 0, sum = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        if (!x) break;
        x->value = __VERIFIER_nondet_int();
        x->next = list;
        list = x;
        n = 1;
    }
    for (struct node *p = list; p; p = p->next)
        sum += p->value;
    int average = n ? sum / n : 0;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return average;
}
