//@ engines: explicit; verdict: safe
//@ engines: overlay, region; verdict: unknown
// A table of names loses its first entry: the rest moves down, and nobody knows how many there are.
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct table {
    unsigned long count;
    char *names[8];
};

int main(void) {
    struct table *table = malloc(sizeof *table);
    if (!table)
        return 0;
    table->count = __VERIFIER_nondet_uint() % 8;
    for (unsigned long i = 0; i < 8; i++)
        table->names[i] = (char *)table;
    memmove(table->names, (char *)table->names + 4, table->count * sizeof(char *));
    memmove((char *)table + 12, table, table->count);
    free(table);
    return 0;
}
