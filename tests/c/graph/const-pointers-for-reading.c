//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <stddef.h>
struct n { int k; struct n *next; };
static size_t length(const struct n *l)
{
    size_t c = 0;
    for (const struct n *const *pp = &l; *pp; ) {
        c++;
        l = l->next;
    }
    return c;
}
static int sum(const struct n *l)
{
    int s = 0;
    for (; l != NULL; l = l->next)
        s += l->k;
    return s;
}
static const struct n *nth(const struct n *l, size_t i)
{
    while (l && i--)
        l = l->next;
    return l;
}
int main(int argc, char **argv)
{
    struct n *l = NULL;
    int i, r;
    (void)argv;
    for (i = 0; i < argc; i++) {
        struct n *x = malloc(sizeof *x);
        if (!x)
            continue;
        x->k = i;
        x->next = l;
        l = x;
    }
    r = sum(l) + (int)length(l);
    const struct n *third = nth(l, 2);
    if (third)
        r += third->k;
    while (l) {
        struct n *x = l;
        l = l->next;
        free(x);
    }
    return r > 0;
}
