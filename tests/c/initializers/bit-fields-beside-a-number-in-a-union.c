//@ engines: explicit, overlay; verdict: safe
#include <assert.h>

union reg {
    unsigned raw;
    struct {
        unsigned on : 1, mode : 2, rest : 29;
    } f;
};

static union reg fixed = {.f = {.on = 1, .mode = 2}};

int main(void) {
    union reg local = {.f = {.on = 1, .mode = 3}};
    assert(fixed.raw == 5 && fixed.f.mode == 2);
    assert(local.raw == 7);
    return 0;
}
