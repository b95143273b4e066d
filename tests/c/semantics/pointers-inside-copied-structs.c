//@ differential
#include <stdio.h>
#include <string.h>

struct node { struct node *next; int *data; int own; };

int main(void)
{
    int x = 5;
    struct node a = { 0, &x, 1 }, b = { &a, &b.own, 2 }, c;
    memcpy(&c, &b, sizeof c);
    ++*c.data;
    printf("%d %d %d\n", b.own, c.own, c.next->own);
    struct node pool[3];
    memset(pool, 0, sizeof pool);
    pool[0] = a;
    pool[0].next = &pool[1];
    memmove(&pool[1], &pool[0], 2 * sizeof *pool);
    printf("%d %d %d\n", pool[1].next == &pool[1], *pool[1].data, pool[2].data == NULL);
    void *p = &pool[1];
    struct node *q = p;
    *q->data = 40;
    printf("%d\n", x);
    struct node **handle = &pool[1].next;
    *handle = &c;
    printf("%d\n", pool[1].next->next->own);
    unsigned char swap[sizeof(struct node *)];
    memcpy(swap, &a.next, sizeof swap);
    memcpy(&a.next, &b.next, sizeof swap);
    memcpy(&b.next, swap, sizeof swap);
    printf("%d %d\n", a.next == &a, b.next == NULL);
    return 0;
}
