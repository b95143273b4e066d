/* The same list as in lost-node.c; the node that is taken out is freed. */
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
            struct node *found = *link;
            *link = found->next;
            free(found);
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
