//@ engines: overlay; verdict: safe
// The head of a kernel list is a member of a heap object.

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

static void list_add(struct list_head *node, struct list_head *head)
{
    list_add_between(node, head, head->next);
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

struct device {
    int number;
    struct list_head clients;
    char *name;
};

struct client {
    struct list_head node;
    struct device *device;
};

static struct device *device_new(void)
{
    struct device *device = malloc(sizeof *device);
    if (!device)
        return NULL;
    device->number = 7;
    device->name = NULL;
    init_list_head(&device->clients);
    return device;
}

static int device_attach(struct device *device)
{
    struct client *client = malloc(sizeof *client);
    if (!client)
        return -1;
    client->device = device;
    list_add(&client->node, &device->clients);
    return 0;
}

static void device_free(struct device *device)
{
    struct list_head *at, *next;
    for (at = device->clients.next, next = at->next; at != &device->clients; at = next, next = at->next) {
        struct client *client = list_entry(at, struct client, node);
        if (client->device != device)
            abort();
        list_del(at);
        free(client);
    }
    free(device);
}

int main(void)
{
    struct device *device = device_new();
    if (!device)
        return 1;
    while (__VERIFIER_nondet_int())
        if (device_attach(device) < 0) {
            device_free(device);
            return 1;
        }
    device_free(device);
    return 0;
}
