//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
static int contains(struct node *l, int k) {
  for (; l; l = l->next) if (l->key == k) return 1;
  return 0;
}
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->key = __VERIFIER_nondet_int(); n->next = head; head = n;
  }
  int k = __VERIFIER_nondet_int();
  struct node *n = malloc(sizeof *n);
  if (n) {
    n->key = k; n->next = NULL;
    if (!head) head = n;
    else { struct node *p = head; while (p->next) p = p->next; p->next = n; }
    assert(contains(head, k));
  }
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
