//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <stdbool.h>
int __VERIFIER_nondet_int(void);
struct n { int k; struct n *next; };
int main(void)
{
    struct n *head = NULL;
    for (int i = 0; i < 20; i++) {
        struct n *t = malloc(sizeof(struct n));
        if (t == NULL)
            break;
        *t = (struct n){ .k = i, .next = head };
        head = t;
    }
    bool found = false;
    struct n *prev = NULL, *cur = head;
    int key = __VERIFIER_nondet_int();
    while (cur != NULL && !found) {
        if (cur->k == key)
            found = true;
        else {
            prev = cur;
            cur = cur->next;
        }
    }
    if (found) {
        if (prev != NULL)
            prev->next = cur->next;
        else
            head = cur->next;
        free(cur);
    }
    while (head != NULL) {
        struct n *t = head->next;
        free(head);
        head = t;
    }
    return 0;
}
