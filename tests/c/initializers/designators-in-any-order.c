//@ engines: explicit, overlay; verdict: safe
#include <assert.h>

enum colour { RED, GREEN, BLUE = GREEN + 1, LAST = BLUE };

struct point {
    int x, y;
};

union shape {
    struct point p;
    long bits;
};

struct entry {
    const char *name;
    struct point at;
    union shape shape;
    int weight[3];
};

static struct entry table[] = {
    [BLUE] = {.weight = {[1] = 6, 7}, .name = "blue", .at.y = 2, .at.x = 1},
    [RED] = {"red", {3, 4}, {{5, 6}}, {1}},
    [GREEN] = {.shape = {.p = {.x = 8, .y = 9}}, .at = {.y = 5}, .name = "green"},
};

static int escapes[128] = {[0 ... 127] = -1, ['n'] = 10, ['t'] = 9};

int main(void) {
    struct entry again = {.name = "first", .weight = {1, 2, 3}, .name = "second", .weight[1] = 5};
    assert(table[RED].at.y == 4 && table[RED].shape.p.y == 6 && table[GREEN].shape.p.x == 8);
    assert(table[GREEN].at.x == 0 && table[BLUE].at.x == 1 && table[BLUE].weight[2] == 7);
    assert(escapes['n'] == 10 && escapes['a'] == -1);
    assert(again.name[0] == 's' && again.weight[1] == 5 && again.weight[2] == 3);
    return sizeof table / sizeof *table != LAST + 1;
}
