//@ engines: explicit, overlay; verdict: safe
#include <assert.h>

struct pair {
    int first, second;
};

static int calls;

static struct pair next(void) {
    struct pair p = {++calls, 7};
    return p;
}

int main(void) {
    struct pair a[3] = {[0 ... 1] = next(), [2] = {9, 9}};
    assert(a[0].first == 1 && a[1].first == 1 && a[1].second == 7 && a[2].first == 9);
    assert(calls == 1);
    return 0;
}
