//@ engines: tvl; verdict: unsafe
// Each observer is a cell with a function; one that says so is freed, and its link is read then.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct observer {
    int (*notify)(struct observer *);
    struct observer *next;
};

static int stays(struct observer *observer)
{
    return observer != NULL;
}

static int leaves(struct observer *observer)
{
    (void)observer;
    return 0;
}

static struct observer *attach(struct observer *list, int (*notify)(struct observer *))
{
    struct observer *observer = malloc(sizeof *observer);
    if (!observer)
        return list;
    observer->notify = notify;
    observer->next = list;
    return observer;
}

static struct observer *notify_all(struct observer *list)
{
    struct observer **at = &list;
    while (*at) {
        struct observer *observer = *at;
        if (observer->notify(observer)) {
            at = &observer->next;
        } else {
            free(observer);
            *at = observer->next; //~ use-after-free
        }
    }
    return list;
}

int main(void)
{
    struct observer *list = NULL;
    while (__VERIFIER_nondet_int())
        list = attach(list, __VERIFIER_nondet_int() ? stays : leaves);
    list = notify_all(list);
    while (list) {
        struct observer *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
