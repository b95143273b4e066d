//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { int h; struct node *n; } *List;
int main(void) {
  int flag = __VERIFIER_nondet_int();
  List a = malloc(sizeof(struct node));
  if (a == 0) exit(1);
  List p = a;
  while (__VERIFIER_nondet_int()) {
    if (flag) p->h = 1; else p->h = 2;
    List t = malloc(sizeof(struct node));
    if (t == 0) exit(1);
    p->n = t; p = p->n;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  if (flag) while (p->h == 1) p = p->n;
  else while (p->h == 1) p = p->n;
  assert(p->h == 3);  //~ assert
  while (a) { List t = a->n; free(a); a = t; }
  return 0;
}
