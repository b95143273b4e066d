//@ engines: region; verdict: unknown
//@ args: --property heap
// Whether the record is freed is decided within the function; if it is, its name is lost.
#include <stdlib.h>

struct record {
    char *name;
};

extern int __VERIFIER_nondet_int(void);

static int perhaps_free(void *memory) {
    if (__VERIFIER_nondet_int())
        return 0;
    free(memory);
    return 1;
}

int main(void) {
    struct record *record = malloc(sizeof *record);
    if (!record)
        return 1;
    record->name = malloc(8);
    if (!perhaps_free(record)) { //~ leak
        free(record->name);
        free(record);
    }
    return 0;
}
