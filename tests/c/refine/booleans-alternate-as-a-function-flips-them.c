//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#include <stdbool.h>
struct item { bool on; struct item *next; };
static bool flip(bool b) { return !b; }
int main(void) {
  struct item *first = NULL, *last = NULL;
  bool on = false;
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    if (!i) break;
    i->on = on; i->next = NULL;
    on = flip(on);
    if (!first) first = i; else last->next = i;
    last = i;
  }
  bool expected = false;
  for (struct item *i = first; i; i = i->next) { assert(i->on == expected); expected = !expected; }
  while (first) { struct item *i = first; first = first->next; free(i); }
  return 0;
}
