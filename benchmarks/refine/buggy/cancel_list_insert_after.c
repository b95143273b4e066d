/* The node behind the new one still points back past it. */
#include "../list.h"

static void wrong_insert_after(struct node *n, struct node *after) {
  struct node *next = after->succ;
  n->pred = after;
  n->succ = next;
  after->succ = n;
  if (next != 0)
    next->pred = after;
}

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  wrong_insert_after(node_alloc(), place);
  check_list(head);
  return 0;
}
