/* The new node leads back to the node before it. */
#include "../list.h"

static void wrong_insert_after(struct node *n, struct node *after) {
  struct node *next = after->succ;
  n->pred = after;
  n->succ = after;
  after->succ = n;
  if (next != 0)
    next->pred = n;
}

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  wrong_insert_after(node_alloc(), place);
  check_acyclic(head);
  return 0;
}
