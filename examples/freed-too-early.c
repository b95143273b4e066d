/* The classic loop: each node is freed before its `next` is read. */
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (fresh == NULL)
            break;
        fresh->next = list;
        list = fresh;
    }
    for (struct node *at = list; at != NULL; at = at->next)
        free(at);
    return 0;
}
