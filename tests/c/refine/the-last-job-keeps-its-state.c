//@ engines: refine; verdict: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct job { char state; struct job *next; };
int main(void) {
  struct job *queue = NULL;
  while (__VERIFIER_nondet_int()) {
    struct job *j = malloc(sizeof *j);
    if (!j) break;
    j->state = 'n';
    j->next = queue;
    queue = j;
  }
  for (struct job *j = queue; j; j = j->next) {
    assert(j->state == 'n');
    if (j->next) j->state = 'd';
  }
  for (struct job *j = queue; j; j = j->next) assert(j->state == 'd');  //~ assert
  while (queue) { struct job *next = queue->next; free(queue); queue = next; }
  return 0;
}
