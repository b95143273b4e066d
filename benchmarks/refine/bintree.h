/* Binary trees as a data-structure library has them, and clients that feed and check them. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int content;
  struct node *left;
  struct node *right;
};

static struct node *node_alloc(void) {
  struct node *n = malloc(sizeof(struct node));
  if (n == 0)
    exit(1);
  n->left = 0;
  n->right = 0;
  return n;
}

/* A tree of one or more nodes: leaves are added somewhere. */
static struct node *tree_of_any_shape(void) {
  struct node *root = node_alloc();
  while (__VERIFIER_nondet_int()) {
    struct node *n = node_alloc();
    struct node *at = root;
    while (n != 0) {
      if (__VERIFIER_nondet_int()) {
        if (at->left == 0) {
          at->left = n;
          n = 0;
        } else {
          at = at->left;
        }
      } else {
        if (at->right == 0) {
          at->right = n;
          n = 0;
        } else {
          at = at->right;
        }
      }
    }
  }
  return root;
}

/* The right child becomes the root. */
static struct node *rotate_left(struct node *top) {
  struct node *right = top->right;
  top->right = right->left;
  right->left = top;
  return right;
}

/* The left child becomes the root. */
static struct node *rotate_right(struct node *top) {
  struct node *left = top->left;
  top->left = left->right;
  left->right = top;
  return left;
}

/* The right child of the left child becomes the root. */
static struct node *rotate_left_right(struct node *top) {
  top->left = rotate_left(top->left);
  return rotate_right(top);
}

/* A node that is chosen on some way down is never met again. */
static void check_tree(struct node *root) {
  struct node *n = root;
  struct node *chosen = 0;
  while (n != 0) {
    assert(n != chosen);
    if (chosen == 0 && __VERIFIER_nondet_int())
      chosen = n;
    if (__VERIFIER_nondet_int())
      n = n->left;
    else
      n = n->right;
  }
}
