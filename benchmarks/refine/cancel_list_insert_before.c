/* A node is inserted before some node of a list: the result is a doubly linked list. */
#include "list.h"

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  struct node *new = node_alloc();
  node_insert_before(new, place);
  if (place == head)
    head = new;
  check_list(head);
  return 0;
}
