//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int key) {
    if (t == NULL) {
        t = malloc(sizeof *t);
        if (t) {
            t->key = key;
            t->left = t->right = NULL;
        }
        return t;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}
static void destroy(struct tree *t) {
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}
int main(void) {
    struct tree *t = NULL;
    int k;
    while (scanf("%d", &k) == 1)
        t = insert(t, k);
    destroy(t);
    return 0;
}
