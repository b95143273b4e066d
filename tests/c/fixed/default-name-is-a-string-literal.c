//@ engines: explicit; verdict: safe
// Nodes own their names, except that the default name is a literal.
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct device {
    char *name;
    struct device *next;
};

static struct device *attach(struct device *list, const char *name)
{
    struct device *device = malloc(sizeof *device);
    if (!device)
        return list;
    device->name = strdup(name ? name : "unnamed");
    device->next = list;
    return device;
}

static void detach_all(struct device *list)
{
    while (list) {
        struct device *next = list->next;
        free(list->name);
        free(list);
        list = next;
    }
}

int main(void)
{
    struct device *list = NULL;
    list = attach(list, "console");
    list = attach(list, __VERIFIER_nondet_bool() ? "disk" : NULL);
    detach_all(list);
    return 0;
}
