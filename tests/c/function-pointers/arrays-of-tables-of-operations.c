//@ engines: explicit; verdict: safe
#include <stddef.h>

struct operations {
    int (*open)(void *);
    int (*close)(void *);
};

struct device {
    const struct operations *operations;
    int state;
};

static int open_plain(void *device) { return ((struct device *)device)->state++; }
static int close_plain(void *device) { return --((struct device *)device)->state; }
static int open_loud(void *device) { return ((struct device *)device)->state += 2; }

static const struct operations kinds[2] = {{open_plain, close_plain}, {open_loud, close_plain}};
static const struct operations *const by_number[] = {&kinds[1], &kinds[0], NULL};

int main(void)
{
    struct device devices[2] = {{0, 0}, {0, 0}};
    for (int i = 0; by_number[i]; i++) {
        devices[i].operations = by_number[i];
        devices[i].operations->open(&devices[i]);
    }
    devices[0].operations->close(&devices[0]);
    return devices[0].state != 1 || devices[1].state != 1;
}
