//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node { int h; struct node *n; } *List;
int main(void) {
  int flag = 1;
  List a = malloc(sizeof(struct node));
  if (a == 0) exit(1);
  List p = a;
  while (__VERIFIER_nondet_int()) {
    if (flag) { p->h = 1; flag = 0; }
    else { p->h = 2; }
    List t = malloc(sizeof(struct node));
    if (t == 0) exit(1);
    p->n = t; p = p->n;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  flag = 1;
  while (p->h != 3) {
    if (flag) { flag = 0; assert(p->h == 1); }  //~ assert
    else { flag = 1; assert(p->h == 2); }
    p = p->n;
  }
  while (a) { List t = a->n; free(a); a = t; }
  return 0;
}
