/* Some node of a list is removed: what is left has no cycle. */
#include "list.h"

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  if (place == head)
    head = head->succ;
  node_remove(place);
  check_acyclic(head);
  return 0;
}
