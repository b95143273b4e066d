//@ engines: region; verdict: unknown
//@ args: --property heap
// The list frees what it holds, but knows nothing of it.
#include <stdlib.h>

struct node {
    void *data;
    struct node *next;
};

struct item {
    char *label;
};

static void list_free(struct node *list) {
    while (list) {
        struct node *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 1;
    struct item *item = malloc(sizeof *item);
    if (!item) {
        free(node);
        return 1;
    }
    item->label = malloc(4);
    node->data = item;
    node->next = NULL;
    list_free(node); //~ leak
    return 0;
}
