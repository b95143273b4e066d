/* Some node of a list is removed: what is left is a doubly linked list. */
#include "list.h"

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  if (place == head)
    head = head->succ;
  node_remove(place);
  check_list(head);
  return 0;
}
