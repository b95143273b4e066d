/* The old root keeps its old parent. */
#include "../treep.h"

static struct node *wrong_rotate(struct node *top) {
  struct node *left = top->left;
  struct node *inner = left->right;
  top->left = inner;
  if (inner != 0)
    inner->parent = top;
  left->parent = top->parent;
  left->right = top;
  return left;
}

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->left != 0)
    root = wrong_rotate(root);
  check_tree(root);
  return 0;
}
