//@ engines: tvl; verdict: safe
// A doubly linked list with a cursor in its record: lines are added behind the cursor, which goes up and down.
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
    if (b->point == k) b->point = b->top;
    free(k);
  }
  free(b);
  return 0;
}
