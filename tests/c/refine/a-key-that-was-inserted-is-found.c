//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
static struct node *search(struct node *l, int k) {
  while (l && l->key != k) l = l->next;
  return l;
}
static struct node *insert(struct node *l, int k) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->key = k;
  n->next = l;
  return n;
}
int main(void) {
  struct node *head = NULL;
  head = insert(head, 2);
  head = insert(head, 5);
  while (__VERIFIER_nondet_int()) head = insert(head, __VERIFIER_nondet_int());
  struct node *found = search(head, 2);
  assert(found != NULL);
  assert(found->key == 2);
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}
