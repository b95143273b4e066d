//@ engines: refine; verdict: safe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct buffer { int used; };
enum kind { PLAIN, BUFFERED };
struct item { enum kind kind; struct buffer *buffer; struct item *next; struct item *prev; };
static struct item *make(enum kind kind) {
  struct item *it = calloc(1, sizeof *it);
  if (!it) return NULL;
  it->kind = kind;
  if (kind == BUFFERED) {
    it->buffer = calloc(1, sizeof *it->buffer);
    if (!it->buffer) { free(it); return NULL; }
  }
  return it;
}
int main(void) {
  struct item *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct item *it = make(__VERIFIER_nondet_int() ? PLAIN : BUFFERED);
    if (!it) break;
    it->next = head;
    if (head) head->prev = it;
    head = it;
  }
  struct item *p = head;
  while (p) {
    switch (p->kind) {
    case PLAIN: break;
    case BUFFERED: p->buffer->used = 1; break;
    }
    p = p->next;
  }
  while (head) {
    struct item *next = head->next;
    if (head->kind == BUFFERED) free(head->buffer);
    free(head);
    head = next;
  }
  return 0;
}
