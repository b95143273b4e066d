/* The inner subtree is not moved: the old root leads back to the new one. */
#include "../bintree.h"

static struct node *wrong_rotate(struct node *top) {
  struct node *left = top->left;
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
