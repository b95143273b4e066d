//@ engines: explicit; verdict: safe
// A vector of records is walked with the very pointer that must be freed later.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct record {
    int key;
    int next;
};

static int find(struct record *records, int first, int key)
{
    for (int i = first; i >= 0; i = records[i].next)
        if (records[i].key == key)
            return i;
    return -1;
}

int main(void)
{
    int key = __VERIFIER_nondet_int() & 3;
    struct record *records = malloc(4 * sizeof *records);
    if (!records)
        return 1;
    for (int i = 0; i < 4; i++)
        records[i] = (struct record){ .key = 3 - i, .next = i - 1 };
    struct record *found = records;
    found += find(records, 3, key);
    found->key = 0;
    free(records);
    return 0;
}
