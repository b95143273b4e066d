//@ engines: overlay; verdict: unsafe
// A tree is freed with a stack of nodes that are still to do.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
};

struct stack {
    struct tree *tree;
    struct stack *below;
};

static struct stack *push(struct stack *stack, struct tree *tree)
{
    struct stack *top = malloc(sizeof *top);
    if (!top)
        abort();
    top->tree = tree;
    top->below = stack;
    return top;
}

static struct tree *leaf(void)
{
    struct tree *tree = malloc(sizeof *tree);
    if (!tree)
        abort();
    tree->left = NULL;
    tree->right = NULL;
    return tree;
}

int main(void)
{
    struct tree *root = leaf();
    while (__VERIFIER_nondet_int()) {
        struct tree *at = root;
        for (;;) {
            struct tree **link = __VERIFIER_nondet_int() ? &at->left : &at->right;
            if (!*link) {
                *link = leaf();
                break;
            }
            at = *link;
        }
    }
    struct stack *stack = push(NULL, root);
    while (stack) {
        struct stack *top = stack;
        struct tree *tree = top->tree;
        stack = top->below;
        free(top);
        if (tree->left) //~ null-deref
            stack = push(stack, tree->left);
        stack = push(stack, tree->right);
        free(tree);
    }
    return 0;
}
