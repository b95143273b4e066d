/* The last node of the first list leads back to its first. */
#include "../list.h"

static void wrong_link(struct node *n1, struct node *n2, struct node *first) {
  n1->succ = first;
  n2->pred = n1;
}

int main(void) {
  struct node *first = list_of_any_length();
  struct node *second = list_of_any_length();
  struct node *last = first;
  while (last->succ != 0)
    last = last->succ;
  wrong_link(last, second, first);
  check_acyclic(first);
  return 0;
}
