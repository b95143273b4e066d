/* Two doubly linked lists of any length are built and concatenated, and the result is checked (paper 003, figure 1). */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct node {
  int data;
  struct node *succ, *pred;
} *List;

List alloc_list(void) {
  List r = malloc(sizeof(struct node));
  List p = r;
  if (r == 0)
    exit(1);
  r->succ = 0;
  r->pred = 0;
  while (__VERIFIER_nondet_int()) {
    List t = malloc(sizeof(struct node));
    if (t == 0)
      exit(1);
    t->succ = 0;
    p->succ = t;
    t->pred = p;
    p = p->succ;
  }
  return r;
}

void assert_dll(List p) {
  while (p != 0 && p->succ != 0) {
    assert(p->succ->pred == p);
    p = p->succ;
  }
}

int main(void) {
  List l1 = alloc_list();
  List l2 = alloc_list();
  List p = l1;
  while (p->succ != 0)
    p = p->succ;
  p->succ = l2;
  l2->pred = p;
  assert_dll(l1);
  return 0;
}
