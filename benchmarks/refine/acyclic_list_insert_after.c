/* A node is inserted behind some node of a list: the result has no cycle. */
#include "list.h"

int main(void) {
  struct node *head = list_of_any_length();
  struct node *place = any_node(head);
  node_insert_after(node_alloc(), place);
  check_acyclic(head);
  return 0;
}
