//@ engines: overlay; verdict: safe
// How many bytes are filled is not known: elements may be among them, and hold something else then.
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);

struct table {
    long used;
    int which[10];
};

int main(void) {
    struct table *table = malloc(sizeof *table);
    if (!table) return 1;
    table->used = 0;
    for (int i = 0; i < 10; i++)
        table->which[i] = __VERIFIER_nondet_int() & 1;
    int bytes = __VERIFIER_nondet_int();
    if (bytes < 0 || bytes > (int)sizeof *table) bytes = 0;
    memset(table, 7, bytes);
    int counts[2] = {0, 0};
    int index = __VERIFIER_nondet_int();
    if (index >= 0 && index < 10) {
        int which = table->which[index];
        if (which >= 0 && which < 2)
            counts[which]++;
    }
    free(table);
    return counts[0] > counts[1];
}
