//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
enum c { R, G, B };
struct node { enum c c; struct node *next; };
int main(void) {
  struct node *h = NULL;
  enum c c = R;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->c = c; n->next = h; h = n;
    c = (c + 1) % 3;
  }
  for (struct node *p = h; p && p->next; p = p->next) assert(p->c != p->next->c);
  while (h) { struct node *n = h->next; free(h); h = n; }
  return 0;
}
