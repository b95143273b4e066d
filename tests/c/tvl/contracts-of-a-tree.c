//@ engines: tvl; verdict: safe
/* Search trees: insertion in a loop, destruction by recursion, both by contract. */
#include <heapwise.h>
#include <stdlib.h>
struct t { struct t *left, *right; int key; };
struct t *insert(struct t *r, int key)
{
    hw_requires("tree(r)");
    hw_ensures("tree(result)");
    hw_ensures("forall v: old(reach(r, v)) ==> reach(result, v)");
    hw_ensures("forall v: reach(result, v) ==> old(reach(r, v)) || fresh(v)");
    struct t *n = malloc(sizeof *n);
    if (!n) abort();
    n->left = n->right = NULL; n->key = key;
    if (!r) return n;
    struct t *p = r;
    for (;;) {
        if (key < p->key) {
            if (!p->left) { p->left = n; return r; }
            p = p->left;
        } else {
            if (!p->right) { p->right = n; return r; }
            p = p->right;
        }
    }
}
void destroy(struct t *r)
{
    hw_requires("tree(r)");
    hw_ensures("forall v: old(reach(r, v)) ==> freed(v)");
    if (!r) return;
    struct t *l = r->left, *q = r->right;
    free(r);
    destroy(l);
    destroy(q);
}
int main(void)
{
    struct t *r = NULL;
    r = insert(r, 5);
    r = insert(r, 3);
    destroy(r);
    return 0;
}
