//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int *data; int has; struct node *next; struct node *prev; };
static struct node *make(int with) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->next = n->prev = NULL;
  if (with) {
    n->data = malloc(sizeof(int));
    if (!n->data) exit(1);
    *n->data = 7;
    n->has = 1;
  } else { n->data = NULL; n->has = 0; }
  return n;
}
int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = make(__VERIFIER_nondet_int() > 0);
    n->next = head;
    if (head) head->prev = n;
    head = n;
  }
  int sum = 0;
  for (struct node *p = head; p; p = p->next) if (p->has) sum += *p->data;
  while (head) {
    struct node *n = head;
    head = head->next;
    if (head) head->prev = NULL;
    if (n->has) free(n->data);
    free(n);
  }
  return sum & 1;
}
