//@ engines: overlay; verdict: unsafe
// Kernel lists three levels deep.

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_entry(ptr, type, member) container_of(ptr, type, member)

static void init_list_head(struct list_head *list)
{
    list->next = list;
    list->prev = list;
}

static void list_add_between(struct list_head *node, struct list_head *prev, struct list_head *next)
{
    next->prev = node;
    node->next = next;
    node->prev = prev;
    prev->next = node;
}

static void list_add_tail(struct list_head *node, struct list_head *head)
{
    list_add_between(node, head->prev, head);
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev; //~ use-after-free
    entry->prev->next = entry->next;
}

static int list_empty(const struct list_head *head)
{
    return head->next == head;
}

struct bus {
    struct list_head devices;
};

struct device {
    struct list_head on_bus;
    struct list_head irqs;
};

struct irq {
    struct list_head on_device;
    int line;
};

static void irq_add(struct device *device)
{
    struct irq *irq = malloc(sizeof *irq);
    if (!irq)
        return;
    irq->line = 0;
    list_add_tail(&irq->on_device, &device->irqs);
}

static void device_add(struct bus *bus)
{
    struct device *device = malloc(sizeof *device);
    if (!device)
        return;
    init_list_head(&device->irqs);
    list_add_tail(&device->on_bus, &bus->devices);
    while (__VERIFIER_nondet_int())
        irq_add(device);
}

static void device_free(struct device *device)
{
    struct list_head *at = device->irqs.next;
    while (at != &device->irqs) {
        struct list_head *next = at->next;
        free(list_entry(at, struct irq, on_device));
        at = next;
    }
    free(device);
}

int main(void)
{
    struct bus *bus = malloc(sizeof *bus);
    if (!bus)
        return 1;
    init_list_head(&bus->devices);
    while (__VERIFIER_nondet_int())
        device_add(bus);
    while (!list_empty(&bus->devices)) {
        struct device *device = list_entry(bus->devices.next, struct device, on_bus);
        device_free(device);
        list_del(&device->on_bus);
    }
    free(bus);
    return 0;
}
