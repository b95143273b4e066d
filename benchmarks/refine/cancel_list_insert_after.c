/* A node is inserted behind some node of a list: the result is a doubly linked list. */
#include "list.h"

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  node_insert_after(node_alloc(), place);
  check_list(head);
  return 0;
}
