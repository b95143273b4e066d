//@ engines: overlay; verdict: safe
// A cell is resized before it is linked.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct record {
    struct record *next;
    int kind;
    int more[4];
};

static struct record *make(int kind)
{
    struct record *record = malloc(__builtin_offsetof(struct record, more));
    if (!record)
        abort();
    record->kind = kind;
    if (kind > 0) {
        struct record *larger = realloc(record, sizeof(struct record));
        if (!larger) {
            free(record);
            abort();
        }
        record = larger;
        for (int i = 0; i < 4; i++)
            record->more[i] = i;
    }
    return record;
}

int main(void)
{
    struct record *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct record *record = make(__VERIFIER_nondet_int());
        record->next = list;
        list = record;
    }
    int sum = 0;
    while (list) {
        struct record *next = list->next;
        if (list->kind > 0)
            sum += list->more[3];
        free(list);
        list = next;
    }
    return sum;
}
