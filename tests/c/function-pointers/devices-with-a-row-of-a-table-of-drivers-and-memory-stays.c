//@ engines: tvl; verdict: unsafe
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct device;

struct driver {
    int (*probe)(struct device *);
    void (*remove)(struct device *);
};

struct device {
    struct device *next;
    const struct driver *driver;
    int *memory;
};

static int probe_with_memory(struct device *device) {
    device->memory = malloc(sizeof *device->memory);
    return device->memory ? 0 : -1;
}

static void remove_memory(struct device *device) {
    free(device->memory);
    device->memory = NULL;
}

static int probe_without(struct device *device) {
    device->memory = NULL;
    return 0;
}

static void remove_nothing(struct device *device) {
    (void)device;
}

static const struct driver drivers[] = { { probe_with_memory, remove_memory }, { probe_without, remove_nothing } };

int main(void) {
    struct device *devices = NULL;
    while (__VERIFIER_nondet_int()) {
        struct device *device = malloc(sizeof *device);
        if (!device)
            break;
        device->driver = &drivers[__VERIFIER_nondet_int() ? 0 : 1];
        if (device->driver->probe(device)) {
            free(device);
            break;
        }
        device->next = devices;
        devices = device;
    }
    while (devices) {
        struct device *device = devices;
        devices = device->next;
        if (!device->memory)
            device->driver->remove(device);
        free(device); //~ leak
    }
    return 0;
}
