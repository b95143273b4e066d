//@ engines: explicit; verdict: safe
#include <stdint.h>

struct entry {
    uintptr_t tagged;
};

static int cell;
static int *where(void) { return &cell; }

int main(void)
{
    struct entry entry = {(uintptr_t)&cell | 1};
    int *(*get)(void) = where;
    uintptr_t number = (uintptr_t)get;
    int *(*back)(void) = (int *(*)(void))number;
    int *address = (int *)(entry.tagged & ~(uintptr_t)1);
    *address = 7;
    return *back() != 7;
}
