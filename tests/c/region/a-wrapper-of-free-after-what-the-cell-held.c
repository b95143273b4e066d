//@ engines: region; verdict: safe
//@ args: --property heap
// The twin without the error: what the cell held is freed before it.
#include <stdlib.h>

struct record {
    char *name;
    struct record *next;
};

extern int __VERIFIER_nondet_int(void);

static void release(void *memory) {
    if (memory)
        free(memory);
}

static void drop(struct record *list) {
    while (list) {
        struct record *next = list->next;
        release(list->name);
        release(list);
        list = next;
    }
}

int main(void) {
    struct record *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct record *record = malloc(sizeof *record);
        if (!record)
            break;
        record->name = malloc(8);
        record->next = list;
        list = record;
    }
    drop(list);
    return 0;
}
