//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stddef.h>

static int scratch;
struct node {
    int *value;
    struct node *next;
};

static int work(struct node *node, int n) {
    int local = 0;
    node->value = &local;
    if (n < 5)
        *node->value = n;
    return *node->value > 3 ? 1 : 0;
}

int main(void) {
    int n = 0;
    while (n < 12)
        n++;
    struct node last = { &scratch, NULL };
    struct node first = { 0, &last };
    return work(first.next, n);
}
