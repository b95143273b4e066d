//@ engines: tvl; verdict: safe
/* A list in the style of the Linux kernel: the links lie within the items, and its head is a global. */
#include <heapwise.h>
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};

#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_for_each_entry_safe(pos, n, head, member)                                                                \
    for (pos = list_entry((head)->next, struct item, member), n = list_entry(pos->member.next, struct item, member); \
         &pos->member != (head); pos = n, n = list_entry(n->member.next, struct item, member))

struct item {
    int id;
    struct list_head link;
};

extern int __VERIFIER_nondet_int(void);

static void list_add_tail(struct list_head *new, struct list_head *head)
{
    struct list_head *prev = head->prev;
    head->prev = new;
    new->next = head;
    new->prev = prev;
    prev->next = new;
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

static LIST_HEAD(items);

int main(void)
{
    struct item *it, *next;
    while (__VERIFIER_nondet_int()) {
        it = malloc(sizeof *it);
        if (it == NULL)
            break;
        it->id = __VERIFIER_nondet_int();
        list_add_tail(&it->link, &items);
    }
    hw_assert_dll(&items);
    list_for_each_entry_safe(it, next, &items, link) {
        if (it->id == 3) {
            list_del(&it->link);
            free(it);
        }
    }
    hw_assert_dll(&items);
    while (items.next != &items) {
        it = list_entry(items.next, struct item, link);
        list_del(&it->link);
        free(it);
    }
    return 0;
}
