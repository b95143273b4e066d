/* The second list's first node points back to itself. */
#include "../list.h"

static void wrong_link(struct node *n1, struct node *n2) {
  n1->succ = n2;
  n2->pred = n2;
}

int main(void) {
  struct node *first = list_of_any_length();
  struct node *second = list_of_any_length();
  struct node *last = first;
  while (last->succ != 0)
    last = last->succ;
  wrong_link(last, second);
  check_list(first);
  return 0;
}
