/* The node before the removed one leads to itself. */
#include "../list.h"

static void wrong_remove(struct node *n) {
  struct node *next = n->succ;
  struct node *previous = n->pred;
  if (next != 0)
    next->pred = previous;
  if (previous != 0)
    previous->succ = previous;
  n->succ = 0;
  n->pred = 0;
}

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  if (place == head)
    head = head->succ;
  wrong_remove(place);
  check_acyclic(head);
  return 0;
}
