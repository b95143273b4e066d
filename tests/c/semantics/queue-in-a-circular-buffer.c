//@ differential
#include <assert.h>
#include <stdio.h>

enum { SIZE = 4 };
struct queue { int items[SIZE]; unsigned head, count; };

static int put(struct queue *q, int x)
{
    if (q->count == SIZE)
        return 0;
    q->items[(q->head + q->count++) % SIZE] = x;
    return 1;
}

static int get(struct queue *q)
{
    assert(q->count > 0);
    int x = q->items[q->head];
    q->head = (q->head + 1) % SIZE;
    q->count--;
    return x;
}

int main(void)
{
    struct queue q = { .count = 0 };
    unsigned seed = 7, sum = 0;
    for (int i = 0; i < 40; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 31 || q.count == 0)
            sum += put(&q, i) ? 1 : 1000;
        else
            sum = sum * 3 + get(&q);
    }
    printf("%u %u\n", sum, q.count);
    return 0;
}
