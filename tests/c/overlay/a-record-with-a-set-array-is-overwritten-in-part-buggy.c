//@ engines: overlay; verdict: unsafe
// What was never written is copied over elements that were.
#include <string.h>

int __VERIFIER_nondet_int(void);

struct row {
    long key;
    int values[10];
};

int main(void) {
    struct row row, other;
    other.key = 2;
    row.key = 1;
    for (int i = 0; i < 10; i++)
        row.values[i] = 1;
    int bytes = __VERIFIER_nondet_int();
    if (bytes < 0 || bytes > (int)sizeof row) bytes = 0;
    memcpy(&row, &other, bytes);
    int index = __VERIFIER_nondet_int();
    if (index >= 0 && index < 10 && row.values[index]) //~ uninitialised
        return 1;
    return 0;
}
