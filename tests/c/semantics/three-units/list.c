//@ part of: main.c
#include <stdlib.h>

struct node { int value; struct node *next; };
struct list { struct node *head; int length; };

struct list *list_new(void)
{
    return calloc(1, sizeof(struct list));
}

void list_add(struct list *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return;
    node->value = value;
    node->next = list->head;
    list->head = node;
    list->length++;
}

int list_fold(const struct list *list, int (*f)(int, int), int seed)
{
    for (const struct node *node = list->head; node; node = node->next)
        seed = f(seed, node->value);
    return seed;
}

void list_free(struct list *list)
{
    while (list->head) {
        struct node *next = list->head->next;
        free(list->head);
        list->head = next;
    }
    free(list);
}
