//@ differential
// The lowest bits of an aligned pointer hold flags.
#include <stdint.h>
#include <stdio.h>

struct node { uintptr_t parent_color; int id; };

static struct node *parent(const struct node *n) { return (struct node *)(n->parent_color & ~(uintptr_t)3); }
static int color(const struct node *n) { return n->parent_color & 1; }

static void set_parent(struct node *n, struct node *p)
{
    n->parent_color = (n->parent_color & 1) | (uintptr_t)p;
}

int main(void)
{
    struct node a = { 0, 1 }, b = { 1, 2 }, c = { (uintptr_t)&b | 1, 3 };
    set_parent(&b, &a);
    printf("%d %d %d\n", parent(&b)->id, color(&b), parent(&a) == NULL);
    printf("%d %d\n", parent(&c)->id, color(&c));
    c.parent_color ^= 1;
    printf("%d %d\n", parent(parent(&c))->id, color(&c));
    c.parent_color |= 2;
    set_parent(&c, &a);
    printf("%d %d\n", parent(&c)->id, color(&c));
    return 0;
}
