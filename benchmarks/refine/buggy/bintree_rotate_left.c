/* The inner subtree is not moved: the old root leads back to the new one. */
#include "../bintree.h"

static struct node *wrong_rotate(struct node *top) {
  struct node *right = top->right;
  right->left = top;
  return right;
}

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->right != 0)
    root = wrong_rotate(root);
  check_tree(root);
  return 0;
}
