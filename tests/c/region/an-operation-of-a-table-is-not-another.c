//@ engines: region; verdict: unknown
//@ args: --property heap
// Which entry is asked is not known, but its type says that it is none that frees. That types agree is a gap.
#include <stdlib.h>

struct item {
    void *payload;
    int kind;
};

struct operations {
    void (*drop)(void *);
    int (*control)(struct item *, int, int);
    double (*weigh)(double);
};

static void drop(void *of) { free(of); }
static int control(struct item *item, int low, int high) { return item->kind >= low && item->kind <= high; }
static double weigh(double by) { return by * 2; }

static struct operations table[2] = {{drop, control, weigh}, {drop, control, weigh}};

int main(int argc, char **argv) {
    (void)argv;
    struct item *item = malloc(sizeof *item);
    if (item == NULL)
        return 1;
    item->payload = NULL;
    item->kind = 1;
    void **entries = (void **)&table[argc & 1];
    int (*asked)(struct item *, int, int) = (int (*)(struct item *, int, int))entries[argc];
    if (asked(item, 1, 2) > 1)
        return 2;
    table[argc & 1].drop(item);
    return 0;
}
