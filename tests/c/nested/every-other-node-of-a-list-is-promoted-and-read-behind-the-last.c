//@ engines: tvl; verdict: unsafe
// The upper level of a skip list ends one node before it is read.
#include <stdlib.h>
struct sk { struct sk *next[2]; int v; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct sk *list = NULL;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    struct sk *s = malloc(sizeof *s);
    if (!s) abort();
    s->v = i; s->next[0] = list; s->next[1] = NULL;
    list = s;
  }
  struct sk *lane = list;
  while (lane && lane->next[0] && lane->next[0]->next[0]) {
    lane->next[1] = lane->next[0]->next[0];
    lane = lane->next[1];
  }
  int sum = 0;
  for (struct sk *s = list; s; s = s->next[1]) sum ^= s->v;
  for (struct sk *s = list; s; s = s->next[1]) {
    if (sum > 3) sum += s->next[1]->v;  //~ null-deref
  }
  while (list) { struct sk *s = list->next[0]; free(list); list = s; }
  return sum & 1;
}
