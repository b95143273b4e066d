//@ engines: region; verdict: unknown
//@ args: --property heap
// `release` knows no field of what it frees; its callers do.
#include <stdlib.h>

struct record {
    char *name;
    struct record *next;
};

static void release(void *memory) {
    if (memory)
        free(memory);
}

int main(void) {
    struct record *record = malloc(sizeof *record);
    if (!record)
        return 1;
    record->name = malloc(8);
    record->next = NULL;
    release(record); //~ leak
    return 0;
}
