//@ engines: explicit, auto; verdict: safe
//@ engines: graph, tvl; verdict: clean
// As in lists of Linux: links both ways, a local head that goes round a static ring.
#include <stddef.h>

struct link {
    struct link *next, *prev;
};

static struct link ring = {&ring, &ring};
static struct link other;

static void add(struct link *new, struct link *head)
{
    new->next = head->next;
    new->prev = head;
    head->next->prev = new;
    head->next = new;
}

static void del(struct link *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

static int count(void)
{
    struct link head;
    int n = 0;
    add(&head, &ring);
    for (struct link *p = head.next; p != &head; p = p->next)
        n++;
    del(&head);
    return n;
}

int main(void)
{
    add(&other, &ring);
    int n = count();
    del(&other);
    return n - 2 + (ring.next != &ring);
}
