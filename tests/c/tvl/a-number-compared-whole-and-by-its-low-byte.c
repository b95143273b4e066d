//@ engines: explicit; verdict: unsafe
//@ engines: tvl, graph; verdict: unknown
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
int main(void)
{
    struct node *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->next = NULL;
    p->value = __VERIFIER_nondet_int();
    if (p->value > 300 && p->value < 1000)
        if (*(unsigned char *)&p->value == 0)
            *(int *)0 = 1; //~ null-deref
    free(p);
    return 0;
}
