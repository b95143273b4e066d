//@ engines: explicit, overlay; verdict: unsafe
#include <assert.h>

union reg {
    unsigned raw;
    struct {
        unsigned on : 1, mode : 2, rest : 29;
    } f;
};

static union reg fixed = {.f = {.on = 1, .mode = 2}};

int main(void) {
    assert(fixed.raw == 2); //~ assert
    return 0;
}
