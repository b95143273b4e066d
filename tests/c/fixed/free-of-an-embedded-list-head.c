//@ engines: explicit; verdict: safe
// An intrusive list: the link is not the first member, so the link's address is not the object's.
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};

struct request {
    int sector;
    struct list_head queue;
};

#define list_entry(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

static void list_add_tail(struct list_head *entry, struct list_head *head)
{
    entry->prev = head->prev;
    entry->next = head;
    head->prev->next = entry;
    head->prev = entry;
}

static void list_del(struct list_head *entry)
{
    entry->prev->next = entry->next;
    entry->next->prev = entry->prev;
}

int main(void)
{
    struct list_head requests = { &requests, &requests };
    for (int i = 0; i < 2; i++) {
        struct request *request = malloc(sizeof *request);
        if (!request)
            break;
        request->sector = 8 * i;
        list_add_tail(&request->queue, &requests);
    }
    while (requests.next != &requests) {
        struct list_head *entry = requests.next;
        list_del(entry);
        free(list_entry(entry, struct request, queue));
    }
    return 0;
}
