//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

struct entry { int key; struct entry *next; };

int main(void) {
    struct entry *list = NULL;
    int key;
    for (int i = 0; i < 2 && scanf("%d", &key) == 1; i++) {
        struct entry *entry = malloc(sizeof *entry);
        if (entry == NULL) break;
        entry->key = key;
        entry->next = list;
        list = entry;
    }
    if (list != NULL && list->key == 7) {
        struct entry *first = list;
        list = first->next;
        printf("removed %d\n", first->key);
        free(first);
    }
    while (list != NULL) {
        struct entry *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
