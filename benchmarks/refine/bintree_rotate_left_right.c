/* A tree is rotated (left and right): no way down meets a node twice. */
#include "bintree.h"

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->left != 0 && root->left->right != 0)
    root = rotate_left_right(root);
  check_tree(root);
  return 0;
}
