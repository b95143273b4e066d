//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
enum colour { RED, BLACK };
struct node { enum colour colour; struct node *next; };
static struct node *push(struct node *head, enum colour colour) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->colour = colour;
  n->next = head;
  return n;
}
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    if (head != NULL && head->colour == RED)
      head = push(head, BLACK);
    else if (__VERIFIER_nondet_int())
      head = push(head, RED);
    else
      head = push(head, BLACK);
  }
  for (struct node *p = head; p != NULL; p = p->next) {
    if (p->colour == RED && p->next != NULL)
      assert(p->next->colour == BLACK);
  }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
