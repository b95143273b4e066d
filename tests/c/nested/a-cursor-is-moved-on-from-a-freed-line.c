//@ engines: tvl; verdict: unsafe
// The cursor is moved on by the link of a line that was just freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct line { struct line *up, *down; };
struct buf { struct line *top; struct line *point; };
int main(void) {
  struct buf *b = malloc(sizeof *b);
  if (!b) abort();
  struct line *l = malloc(sizeof *l);
  if (!l) abort();
  l->up = l->down = NULL;
  b->top = b->point = l;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct line *k = malloc(sizeof *k);
      if (!k) abort();
      k->up = b->point;
      k->down = b->point->down;
      if (k->down) k->down->up = k;
      b->point->down = k;
      b->point = k;
    } else if (__VERIFIER_nondet_int()) {
      if (b->point->down) b->point = b->point->down;
    } else {
      if (b->point->up) b->point = b->point->up;
    }
  }
  while (b->top) {
    struct line *k = b->top;
    b->top = k->down;
    if (b->top) b->top->up = NULL;
    free(k);
    if (b->point == k) b->point = k->down;  //~ use-after-free
  }
  free(b);
  return 0;
}
