/* The inner subtree keeps its old parent. */
#include "../treep.h"

static struct node *wrong_rotate(struct node *top) {
  struct node *right = top->right;
  top->right = right->left;
  right->parent = top->parent;
  right->left = top;
  top->parent = right;
  return right;
}

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->right != 0)
    root = wrong_rotate(root);
  check_tree(root);
  return 0;
}
