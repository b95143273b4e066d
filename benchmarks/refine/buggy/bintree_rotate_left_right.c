/* The second rotation leaves the old root above the new one. */
#include "../bintree.h"

static struct node *wrong_rotate(struct node *top) {
  top->left = rotate_left(top->left);
  struct node *left = top->left;
  left->right = top;
  return left;
}

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->left != 0 && root->left->right != 0)
    root = wrong_rotate(root);
  check_tree(root);
  return 0;
}
