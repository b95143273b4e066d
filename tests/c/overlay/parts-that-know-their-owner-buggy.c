//@ engines: overlay; verdict: unsafe
// A ring without a head of its own, whose elements point to the record that leads to it.
#include <stdlib.h>
struct owner;
struct part { struct part *next, *prev; struct owner *owner; int w; };
struct owner { struct part *first; int total; };
static void attach(struct owner *o, struct part *p) {
    p->owner = o;
    if (!o->first) { p->next = p->prev = p; o->first = p; }
    else { p->next = o->first; p->prev = o->first->prev; p->prev->next = p; o->first->prev = p; }
    o->total += p->w;
}
static void detach(struct part *p) {
    struct owner *o = p->owner;
    o->total -= p->w;
    if (p->next == p) o->first = NULL;
    else {
        if (o->first == p) o->first = p->next;
        p->next->prev = p->prev; p->prev->next = p->next;
    }
}
int main(void) {
    struct owner *o = malloc(sizeof *o);
    if (!o) return 1;
    o->first = NULL; o->total = 0;
    int n = rand() % 10;
    while (n-- > 0) {
        struct part *p = malloc(sizeof *p);
        if (!p) break;
        p->w = rand() % 7; attach(o, p);
    }
    struct part *q = o->first;
    if (q) { free(o); o = q->owner; }
    while (o->first) { struct part *p = o->first; detach(p); free(p); } //~ use-after-free
    free(o);
    return 0;
}
