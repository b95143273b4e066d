//@ engines: explicit, overlay; verdict: unknown
// What the record holds is not known here: an error that depends on it is possible.
#include <assert.h>
#include <string.h>

struct pair {
    int first, second;
};

static struct flags {
    unsigned on : 1;
    struct pair p;
} v = {.on = 1, .p = {1, 2}, .p = {3}};

int main(void) {
    assert(v.on == 1); //~ may assert
    struct flags copy = v;
    assert(copy.p.first == 3); //~ may assert
    unsigned char byte;
    memcpy(&byte, &v.p.first, 1);
    assert(byte == 3); //~ may assert
    return 0;
}
