//@ engines: overlay; verdict: safe
// Heads of rings in a global array, set up by a counting loop.

#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_for_each_entry_safe(pos, n, head, member) \
    for (pos = list_entry((head)->next, typeof(*pos), member), n = list_entry(pos->member.next, typeof(*pos), member); \
         &pos->member != (head); pos = n, n = list_entry(n->member.next, typeof(*n), member))

struct list_head { struct list_head *next, *prev; };

static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list; list->prev = list; }

static inline void list_add(struct list_head *new, struct list_head *head)
{
    struct list_head *next = head->next;
    next->prev = new;
    new->next = next;
    new->prev = head;
    head->next = new;
}

static inline void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
    entry->next = NULL;
    entry->prev = NULL;
}

#define N 32
struct item { int key; struct list_head link; };
static struct list_head heads[N];
int main(void) {
    for (int i = 0; i < N; i++) INIT_LIST_HEAD(&heads[i]);
    while (__VERIFIER_nondet_int()) {
        struct item *it = malloc(sizeof *it);
        if (!it) break;
        it->key = __VERIFIER_nondet_int();
        list_add(&it->link, &heads[(unsigned)it->key % N]);
    }
    for (int i = 0; i < N; i++) {
        struct item *it, *n;
        list_for_each_entry_safe(it, n, &heads[i], link) {
            list_del(&it->link); free(it);
        }
    }
    return 0;
}
