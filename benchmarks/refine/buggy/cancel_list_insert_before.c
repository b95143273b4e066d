/* The new node points back to the node behind it. */
#include "../list.h"

static void wrong_insert_before(struct node *n, struct node *before) {
  struct node *previous = before->pred;
  n->succ = before;
  n->pred = before;
  before->pred = n;
  if (previous != 0)
    previous->succ = n;
}

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  struct node *new = node_alloc();
  wrong_insert_before(new, place);
  if (place == head)
    head = new;
  check_list(head);
  return 0;
}
