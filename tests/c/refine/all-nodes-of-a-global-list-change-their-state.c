//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int state; struct node *next; };
static struct node *list;
static int count;
static void add(int s) { struct node *n = malloc(sizeof *n); if (!n) return; n->state = s; n->next = list; list = n; count++; }
static void clear(void) { while (list) { struct node *n = list; list = n->next; free(n); } }
int main(void) {
  while (__VERIFIER_nondet_int()) add(2);
  for (struct node *p = list; p; p = p->next) { assert(p->state == 2); p->state = 5; }
  for (struct node *p = list; p; p = p->next) assert(p->state == 5);
  clear();
  return 0;
}
