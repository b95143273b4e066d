//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct node {
    int *data;
    struct node *next;
};

static int process(struct node *node, int n) {
    if (!node->data)
        return 1;
    *node->data = 7;
    free(node->data);
    if (n > 5) {
        puts("gone");
    }
    return 0;
}

static struct node *push(struct node *list, int *data) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->data = data;
    node->next = list;
    return node;
}

int main(void) {
    int n = rand() % 20;
    struct node *list = push(NULL, 0);
    list = push(list, malloc(sizeof(int)));
    int result = process(list, n);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return result;
}
