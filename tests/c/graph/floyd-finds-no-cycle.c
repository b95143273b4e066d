//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; };
static int has_cycle(struct n *l)
{
    struct n *slow = l, *fast = l;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 1;
    }
    return 0;
}
int main(void)
{
    struct n *l = NULL, *t;
    while (__VERIFIER_nondet_int()) {
        t = malloc(sizeof *t);
        if (!t) break;
        t->next = l; l = t;
    }
    assert(!has_cycle(l));
    while (l) { t = l->next; free(l); l = t; }
    return 0;
}
