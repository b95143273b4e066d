/* A list that loses a node: `unlink_value` takes a node out, and nobody frees it. */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value) {
    struct node *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return list;
    fresh->value = value;
    fresh->next = list;
    return fresh;
}

static void unlink_value(struct node **list, int value) {
    for (struct node **link = list; *link != NULL; link = &(*link)->next) {
        if ((*link)->value == value) {
            *link = (*link)->next;
            return;
        }
    }
}

static void drop(struct node *list) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 2; i++)
        list = push(list, i);
    unlink_value(&list, 0);
    drop(list);
    return 0;
}
