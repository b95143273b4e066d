/* The new node leads back to the node before it. */
#include "../list.h"

static void wrong_insert_before(struct node *n, struct node *before) {
  struct node *previous = before->pred;
  n->succ = previous;
  n->pred = previous;
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
  check_acyclic(head);
  return 0;
}
