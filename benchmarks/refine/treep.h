/* Binary trees with pointers to parents as a data-structure library has them, and clients that feed and check them. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int content;
  struct node *left;
  struct node *right;
  struct node *parent;
};

static struct node *node_alloc(void) {
  struct node *n = malloc(sizeof(struct node));
  if (n == 0)
    exit(1);
  n->left = 0;
  n->right = 0;
  n->parent = 0;
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
          n->parent = at;
          n = 0;
        } else {
          at = at->left;
        }
      } else {
        if (at->right == 0) {
          at->right = n;
          n->parent = at;
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
  struct node *inner = right->left;
  top->right = inner;
  if (inner != 0)
    inner->parent = top;
  right->parent = top->parent;
  right->left = top;
  top->parent = right;
  return right;
}

/* The left child becomes the root. */
static struct node *rotate_right(struct node *top) {
  struct node *left = top->left;
  struct node *inner = left->right;
  top->left = inner;
  if (inner != 0)
    inner->parent = top;
  left->parent = top->parent;
  left->right = top;
  top->parent = left;
  return left;
}

/* The right child of the left child becomes the root. */
static struct node *rotate_left_right(struct node *top) {
  struct node *left = rotate_left(top->left);
  top->left = left;
  left->parent = top;
  return rotate_right(top);
}

/* The parent of a child is the node, on some way down. */
static void check_tree(struct node *root) {
  struct node *n = root;
  while (n != 0) {
    struct node *left = n->left;
    if (left != 0)
      assert(left->parent == n);
    struct node *right = n->right;
    if (right != 0)
      assert(right->parent == n);
    if (__VERIFIER_nondet_int())
      n = left;
    else
      n = right;
  }
}
