/* A tree is rotated (left): parents and children agree. */
#include "treep.h"

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->right != 0)
    root = rotate_left(root);
  check_tree(root);
  return 0;
}
