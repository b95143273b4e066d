//@ engines: region; verdict: unknown
//@ args: --property heap
// Two levels of wrappers, and a head that is freed without its cells.
#include <stdlib.h>

struct cell {
    struct cell *next;
};

struct list {
    int length;
    struct cell *first;
};

static void give_back(void *memory) {
    free(memory);
}

static void destroy(void *object) {
    give_back(object);
}

int main(void) {
    struct list *list = malloc(sizeof *list);
    if (!list)
        return 1;
    list->length = 0;
    list->first = malloc(sizeof *list->first);
    if (list->first)
        list->first->next = NULL;
    destroy(list); //~ leak
    return 0;
}
