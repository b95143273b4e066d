/* The old root points to itself as its parent. */
#include "../treep.h"

static struct node *wrong_rotate(struct node *top) {
  struct node *new = rotate_left_right(top);
  top->parent = top;
  return new;
}

int main(void) {
  struct node *root = tree_of_any_shape();
  if (root->left != 0 && root->left->right != 0)
    root = wrong_rotate(root);
  check_tree(root);
  return 0;
}
