// The baby IO scheduler: requests wait in a queue that is a list and, at the same time, a tree over the same nodes; when a
// request is done it moves to a second queue, which is a list only.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *parent, *left, *right;
    int key;
};

static struct node *q1s, *q1t, *q2;

static void list_add_first(struct node **list, struct node *c)
{
    c->next = *list;
    *list = c;
}

static struct node *list_remove_first(struct node **list)
{
    struct node *c = *list;
    if (c)
        *list = c->next;
    return c;
}

static void tree_add(struct node *c)
{
    struct node *p = q1t;
    c->left = 0;
    c->right = 0;
    c->parent = 0;
    if (!p) {
        q1t = c;
        return;
    }
    for (;;) {
        if (c->key < p->key) {
            if (!p->left) {
                p->left = c;
                c->parent = p;
                return;
            }
            p = p->left;
        } else {
            if (!p->right) {
                p->right = c;
                c->parent = p;
                return;
            }
            p = p->right;
        }
    }
}

// Puts `by` (or nothing) in the place of `c` below its parent.
static void tree_replace(struct node *c, struct node *by)
{
    struct node *p = c->parent;
    if (!p)
        q1t = by;
    else if (p->left == c)
        p->left = by;
    else
        p->right = by;
    if (by)
        by->parent = p;
}

// What was right of `c` goes below the last of what was left of it.
static void tree_remove(struct node *c)
{
    struct node *l = c->left, *r = c->right;
    if (!l) {
        tree_replace(c, r);
        return;
    }
    struct node *s = l;
    while (s->right)
        s = s->right;
    s->right = r;
    if (r)
        r->parent = s;
    tree_replace(c, l);
}

static void add_request(int key)
{
    struct node *c = malloc(sizeof *c);
    if (!c)
        abort();
    c->key = key;
    list_add_first(&q1s, c);
    tree_add(c);
}

static void move_request(void)
{
    struct node *c;
    c = list_remove_first(&q1s);
    if (c == 0)
        return;
    tree_remove(c);
    list_add_first(&q2, c);
    c = 0;
}

// One request is done from the start.
static void start(void)
{
    struct node *c = malloc(sizeof *c);
    if (!c)
        abort();
    c->key = 0;
    c->left = c->right = c->parent = 0;
    list_add_first(&q2, c);
}

int main(void)
{
    start();
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            add_request(__VERIFIER_nondet_int());
        else
            move_request();
    }
    return 0;
}
