//@ engines: overlay; verdict: safe
// A list of chunks, each with an array of numbers and how many there are.
#include <stdlib.h>
#define CAP 8
struct chunk { int n; int data[CAP]; struct chunk *next; };
struct ul { struct chunk *head; };
static int append(struct ul *u, int x) {
    struct chunk *c = u->head;
    if (!c || c->n == CAP) {
        c = malloc(sizeof *c);
        if (!c) return -1;
        c->n = 0; c->next = u->head; u->head = c;
    }
    c->data[c->n++] = x;
    return 0;
}
int main(void) {
    struct ul u = { 0 };
    int n = rand() % 100, s = 0;
    while (n--) append(&u, n);
    for (struct chunk *c = u.head; c; c = c->next) for (int i = 0; i < c->n; i++) s += c->data[i];
    while (u.head) { struct chunk *c = u.head; u.head = c->next; free(c); }
    return s;
}
