//@ engines: overlay; verdict: safe
// Insertion into a red-black tree: the colour is the lowest bit of the word that leads to the parent.

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
    unsigned long word;
    struct node *left, *right;
    int key;
};
enum { RED = 0, BLACK = 1 };
static struct node *parent_of(struct node *n)
{
    return (struct node *)(n->word & ~1ul);
}
static int is_red(struct node *n)
{
    return n && (n->word & 1) == RED;
}
static void set_parent(struct node *n, struct node *p)
{
    n->word = (unsigned long)p | (n->word & 1);
}
static void set_colour(struct node *n, int colour)
{
    n->word = (n->word & ~1ul) | colour;
}
static int colour_of(struct node *n)
{
    return n->word & 1;
}
static struct node *root;
static void replace_child(struct node *p, struct node *old, struct node *new)
{
    if (!p)
        root = new;
    else if (p->left == old)
        p->left = new;
    else
        p->right = new;
}
static void rotate_left(struct node *x)
{
    struct node *y = x->right, *p = parent_of(x);
    x->right = y->left;
    if (y->left)
        set_parent(y->left, x);
    set_parent(y, p);
    replace_child(p, x, y);
    y->left = x;
    set_parent(x, y);
}
static void rotate_right(struct node *x)
{
    struct node *y = x->left, *p = parent_of(x);
    x->left = y->right;
    if (y->right)
        set_parent(y->right, x);
    set_parent(y, p);
    replace_child(p, x, y);
    y->right = x;
    set_parent(x, y);
}
static void balance_after_insertion(struct node *x)
{
    struct node *p;
    while (is_red(p = parent_of(x))) {
        struct node *g = parent_of(p);
        if (p == g->left) {
            struct node *u = g->right;
            if (is_red(u)) {
                set_colour(p, BLACK);
                set_colour(u, BLACK);
                set_colour(g, RED);
                x = g;
                continue;
            }
            if (x == p->right) {
                rotate_left(p);
                x = p;
                p = parent_of(x);
            }
            set_colour(p, BLACK);
            set_colour(g, RED);
            rotate_right(g);
        } else {
            struct node *u = g->left;
            if (is_red(u)) {
                set_colour(p, BLACK);
                set_colour(u, BLACK);
                set_colour(g, RED);
                x = g;
                continue;
            }
            if (x == p->left) {
                rotate_right(p);
                x = p;
                p = parent_of(x);
            }
            set_colour(p, BLACK);
            set_colour(g, RED);
            rotate_left(g);
        }
    }
    set_colour(root, BLACK);
}
static void insert(int key)
{
    struct node *x = malloc(sizeof *x), *p = 0, **link = &root;
    if (!x)
        return;
    while (*link) {
        p = *link;
        link = key < p->key ? &p->left : &p->right;
    }
    x->key = key;
    x->left = x->right = 0;
    x->word = (unsigned long)p | RED;
    *link = x;
    balance_after_insertion(x);
}
int main(void)
{
    while (__VERIFIER_nondet_int()) {
        insert(__VERIFIER_nondet_int());
    }
    return 0;
}
