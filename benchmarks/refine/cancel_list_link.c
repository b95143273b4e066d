/* Two lists are linked: the result is a doubly linked list. */
#include "list.h"

int main(void) {
  struct node *first = list_of_any_length();
  struct node *second = list_of_any_length();
  struct node *last = first;
  while (last->succ != 0)
    last = last->succ;
  node_link(last, second);
  check_list(first);
  return 0;
}
