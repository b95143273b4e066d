//@ engines: explicit, overlay; verdict: safe
#include <assert.h>

struct flags {
    unsigned three : 3;
    int four : 4;
    unsigned long forty : 40;
    _Bool one : 1;
};

int main(void) {
    struct flags s = {.three = 7, .four = 7, .forty = 0xffffffffff, .one = 1};
    assert(++s.three == 0 && s.three == 0);
    assert(--s.three == 7);
    assert(++s.four == -8);
    assert(++s.forty == 0);
    assert(++s.one == 1 && --s.one == 0);
    s.three = 7;
    assert(s.three++ == 7 && s.three == 0);
    return 0;
}
