//@ engines: overlay; verdict: unsafe
// The array of buckets is looked at with a variable index; the count behind it keeps what memset wrote there.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    struct entry *next;
};

struct table {
    struct entry *bucket[16];
    unsigned n;
};

int main(void)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return 1;
    memset(table, __VERIFIER_nondet_int(), sizeof *table);
    for (int i = 0; i < 16; i++)
        table->bucket[i] = NULL;
    assert(table->n == 0); //~ assert
    free(table);
    return 0;
}
