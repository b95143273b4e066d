//@ engines: auto; verdict: safe
#include <stdio.h>
#define SIZE 16

struct ring {
    int data[SIZE];
    unsigned head, tail;
};

static int put(struct ring *r, int x) {
    unsigned next = (r->head + 1) % SIZE;
    if (next == r->tail) return 0;
    r->data[r->head] = x;
    r->head = next;
    return 1;
}

static int get(struct ring *r, int *x) {
    if (r->tail == r->head) return 0;
    *x = r->data[r->tail];
    r->tail = (r->tail + 1) % SIZE;
    return 1;
}

int main(void) {
    struct ring r = {{0}, 0, 0};
    int c, x;
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            if (get(&r, &x)) printf("%d\n", x);
        } else
            put(&r, c);
    }
    return 0;
}
