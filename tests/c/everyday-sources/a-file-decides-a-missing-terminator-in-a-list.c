//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

struct node {
    const char *x;
    struct node *next;
};

static int run(struct node *node) {
    char part[8];
    strncpy(part, node->x, sizeof part);
    part[sizeof part - 1] = 0;
    puts(part);
    return 0;
}

int main(void) {
    char text[50];
    if (scanf("%49s", text) != 1)
        return 1;
    struct node last = { text, NULL };
    struct node first = { 0, &last };
    return run(first.next);
}
