/* Two lists are linked: the result has no cycle. */
#include "list.h"

int main(void) {
  struct node *first = list_of_any_length();
  struct node *second = list_of_any_length();
  struct node *last = first;
  while (last->succ != 0)
    last = last->succ;
  node_link(last, second);
  check_acyclic(first);
  return 0;
}
