//@ engines: tvl; verdict: unsafe
/* The item that was freed is asked for the next one. */
#include <heapwise.h>
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};

#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }
#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

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
    struct item *it;
    while (__VERIFIER_nondet_int()) {
        it = malloc(sizeof *it);
        if (it == NULL)
            break;
        it->id = __VERIFIER_nondet_int();
        list_add_tail(&it->link, &items);
    }
    for (it = list_entry(items.next, struct item, link); &it->link != &items;
         it = list_entry(it->link.next, struct item, link)) { //~ use-after-free
        list_del(&it->link);
        free(it);
    }
    return 0;
}
