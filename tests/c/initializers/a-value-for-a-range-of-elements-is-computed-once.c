//@ engines: explicit, overlay; verdict: unsafe
#include <assert.h>

static int calls;

static int next(void) { return ++calls; }

int main(void) {
    int a[3] = {[0 ... 2] = next()};
    assert(a[0] == 1 && a[1] == 1 && a[2] == 1);
    assert(calls == 3); //~ assert
    return 0;
}
