//@ engines: explicit; verdict: safe
// Appending through a pointer to the last link. The allocation may fail.
#include <stdlib.h>

struct item {
    int id;
    struct item *next;
};

static struct item *append(struct item **list, int id)
{
    struct item **link = list;
    while (*link)
        link = &(*link)->next;
    *link = malloc(sizeof **link);
    if (!*link)
        return NULL;
    (*link)->id = id;
    (*link)->next = NULL;
    return *link;
}

static void destroy(struct item *list)
{
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct item *list = NULL;
    for (int id = 1; id <= 3; id++)
        if (!append(&list, id))
            break;
    destroy(list);
    return 0;
}
