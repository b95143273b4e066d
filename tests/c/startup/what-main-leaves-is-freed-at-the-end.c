//@ engines: graph, tvl, overlay, auto; verdict: safe
//@ engines: explicit; verdict: clean
//@ args: --property leak-at-exit
#include <stdlib.h>

struct node { struct node *next; };
static struct node *head;

static void clear(void) __attribute__((destructor));
static void clear(void)
{
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
}

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            exit(1);
        fresh->next = head;
        head = fresh;
    }
    return 0;
}
