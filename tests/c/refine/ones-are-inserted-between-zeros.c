//@ engines: refine; verdict: unsafe
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct node { unsigned bit; struct node *next; };
static struct node *insert(struct node *head, unsigned bit) {
    struct node *n = malloc(sizeof(struct node)), *p;
    if (n == NULL) return head;
    n->bit = bit;
    if (head == NULL || bit == 0 ) { n->next = head; return n; }
    p = head;
    while (p->next != NULL && p->next->bit == 1) p = p->next;

    n->next = p->next; p->next = n;
    return head;
}
int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) head = insert(head, __VERIFIER_nondet_int() ? 1u : 0u);
    struct node *p = head;
    while (p && p->bit == 0) p = p->next;
    for (; p; p = p->next) assert(p->bit == 1);  //~ assert
    while (head) { p = head->next; free(head); head = p; }
    return 0;
}
