//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stddef.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

struct s {
    int k;
    struct node n;
    struct node *p;
};

static void f(struct node *e, int d)
{
    struct s *s = (struct s *)((char *)e - offsetof(struct s, n));
    if (d > 0) {
        f(e, d - 1);
        return;
    }
    free(s->p);
    s->n.v = 1;
}

int main(void)
{
    struct s s;
    s.k = 0;
    s.n.next = 0;
    s.n.v = 0;
    s.p = malloc(sizeof(struct node));
    f(&s.n, 1);
    if (s.n.v)
        s.p->v = 1; //~ use-after-free
    return 0;
}
