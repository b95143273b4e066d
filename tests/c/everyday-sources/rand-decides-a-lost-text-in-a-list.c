//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *words[] = { "one", "two", "seventeen hundred and two" };
struct node {
    const char *item;
    struct node *next;
};

static int work(struct node *node) {
    char *first = strdup(node->item);
    char *second = malloc(strlen(node->item) + 3);
    if (first == NULL || second == NULL) {
        free(first);
        free(second);
        return 1;
    }
    sprintf(second, "<%s>", first);
    puts(second);
    free(first);
    free(second);
    return 0;
}

int main(void) {
    const char *text = words[rand() % 3];
    struct node last = { text, NULL };
    struct node first = { 0, &last };
    return work(first.next);
}
