//@ engines: explicit; verdict: safe
#include <stdint.h>

union slot {
    uintptr_t number;
    void *data;
    int (*call)(void);
};

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void)
{
    union slot slots[2];
    slots[0].call = one;
    slots[1].data = 0;
    slots[1].number = (uintptr_t)two;
    uintptr_t kept = slots[0].number;
    int (*again)(void) = (int (*)(void))kept;
    return again() + slots[1].call() != 3;
}
