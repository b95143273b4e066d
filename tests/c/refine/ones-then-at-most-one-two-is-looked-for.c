//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { int h; struct node *n; } *List;
int main(void) {
  List a = malloc(sizeof(struct node));
  if (a == 0) exit(1);
  List p = a;
  while (__VERIFIER_nondet_int()) {
    p->h = 1;
    List t = malloc(sizeof(struct node));
    if (t == 0) exit(1);
    p->n = t; p = p->n;
  }
  while (__VERIFIER_nondet_int()) {
    p->h = 2;
    List t = malloc(sizeof(struct node));
    if (t == 0) exit(1);
    p->n = t; p = p->n;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  while (p->h == 1) p = p->n;
  if (p->h == 2) p = p->n;
  assert(p->h == 3);  //~ assert
  while (a) { List t = a->n; free(a); a = t; }
  return 0;
}
