//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
typedef struct node {
  int mark;
  struct node *next;
} node;
static void *get(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) exit(1);
  return memory;
}
static node *made(int mark, node *next) {
  node *n = get(sizeof n);
  n->mark = mark;
  n->next = next;  //~ out-of-bounds
  return n;
}
int main(void) {
  node *list = made(0, NULL);
  while (__VERIFIER_nondet_int()) list = made(1, list);
  node *p = list;
  while (p->mark == 1) p = p->next;
  assert(p->next == NULL);
  while (list != NULL) {
    p = list->next;
    free(list);
    list = p;
  }
  return 0;
}
