//@ engines: tvl; verdict: safe
// Rows of cells of one type: the first cell of a row leads to the next row, the others lead nowhere by that link.
#include <stdlib.h>
struct cell { struct cell *right, *down; int value; };
int __VERIFIER_nondet_int(void);
int main(void) {
  struct cell *rows = NULL;
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    struct cell *first = malloc(sizeof *first);
    if (!first) abort();
    first->value = i;
    first->right = NULL;
    first->down = rows;
    rows = first;
    for (int j = 0; j < m; j++) {
      struct cell *c = malloc(sizeof *c);
      if (!c) abort();
      c->value = j;
      c->down = NULL;
      c->right = first->right;
      first->right = c;
    }
  }
  for (struct cell *r = rows; r; r = r->down)
    for (struct cell *c = r->right; c; c = c->right) c->value++;
  while (rows) {
    struct cell *below = rows->down;
    struct cell *c = rows->right;
    while (c) {
      struct cell *next = c->right;
      free(c);
      c = next;
    }
    free(rows);
    rows = below;
  }
  return 0;
}
