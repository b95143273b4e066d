//@ engines: explicit, tvl, graph; verdict: unsafe
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
int main(void)
{
    struct node *p = malloc(sizeof *p);
    int other = __VERIFIER_nondet_int();
    if (!p)
        return 0;
    p->next = NULL;
    p->value = __VERIFIER_nondet_int();
    if (p->value < 5 && other > 7) {
        memcpy(&p->value, &other, sizeof other);
        if (p->value >= 5)
            *(int *)0 = 1; //~ null-deref
    }
    free(p);
    return 0;
}
