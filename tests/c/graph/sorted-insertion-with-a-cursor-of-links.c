//@ engines: graph; verdict: safe
#include <stdlib.h>
#include <stdbool.h>
extern int rand(void);

typedef struct list_s { int key; struct list_s *next; } *list_t;

static bool insert(list_t *head, int key)
{
    list_t *link = head;
    while (*link && (*link)->key < key)
        link = &(*link)->next;
    list_t n = malloc(sizeof *n);
    if (!n)
        return false;
    n->key = key;
    n->next = *link;
    *link = n;
    return true;
}

static void destroy(list_t *head)
{
    while (*head) {
        list_t next = (*head)->next;
        free(*head);
        *head = next;
    }
}

int main(void)
{
    list_t l = NULL;
    while (rand() % 7)
        if (!insert(&l, rand()))
            break;
    destroy(&l);
    return 0;
}
