//@ engines: tvl; verdict: unsafe
// The item under the cursor is written to after the list was freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct n { int x; struct n *nx; };
struct seq { struct n *cur; struct n *beg; };
int main(void) {
  struct seq *s = malloc(sizeof *s);
  if (!s) return 1;
  s->beg = s->cur = NULL;
  while (__VERIFIER_nondet_int()) {
    int op = __VERIFIER_nondet_int();
    if (op == 0) {
      struct n *m = malloc(sizeof *m);
      if (!m) break;
      m->x = 1;
      if (s->cur) { m->nx = s->cur->nx; s->cur->nx = m; }
      else { m->nx = s->beg; s->beg = m; }
    } else if (op == 1) {
      s->cur = s->cur ? s->cur->nx : s->beg;
    } else if (op == 2) {
      if (s->cur && s->cur->nx) {
        struct n *d = s->cur->nx;
        s->cur->nx = d->nx;
        free(d);
      }
    } else s->cur = s->beg;
  }
  struct n *c = s->cur;
  while (s->beg) { struct n *d = s->beg; s->beg = d->nx; free(d); }
  if (c) c->x = 2;  //~ use-after-free
  free(s);
  return 0;
}
