/* A node is inserted before some node of a list: the result has no cycle. */
#include "list.h"

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  struct node *new = node_alloc();
  node_insert_before(new, place);
  if (place == head)
    head = new;
  check_acyclic(head);
  return 0;
}
