//@ engines: tvl; verdict: safe
// Drivers register themselves; the first that accepts opens, and the same one closes.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct device {
    struct device *next;
};

struct driver {
    struct device *(*open)(void);
    void (*close)(struct device *);
    struct driver *next;
};

static struct driver *drivers;

static struct device *open_one(void)
{
    struct device *device = malloc(sizeof *device);
    if (device)
        device->next = NULL;
    return device;
}

static void close_one(struct device *device)
{
    free(device);
}

static struct device *open_none(void)
{
    return NULL;
}

static void close_none(struct device *device)
{
    (void)device;
}

static void add(struct device *(*open)(void), void (*close)(struct device *))
{
    struct driver *driver = malloc(sizeof *driver);
    if (!driver)
        return;
    driver->open = open;
    driver->close = close;
    driver->next = drivers;
    drivers = driver;
}

int main(void)
{
    add(open_one, close_one);
    add(open_none, close_none);
    struct driver *driver = drivers;
    struct device *device = NULL;
    while (driver) {
        device = driver->open();
        if (device)
            break;
        driver = driver->next;
    }
    if (device)
        driver->close(device);
    while (drivers) {
        struct driver *next = drivers->next;
        free(drivers);
        drivers = next;
    }
    return 0;
}
