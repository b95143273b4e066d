//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
struct event { int kind; void (*on_done)(struct event *); };
static void release(struct event *e) {
    free(e);
}
static void keep(struct event *e) {
    e->kind = 0;
}
int main(int argc, char **argv) {
    struct event *e = malloc(sizeof *e);
    if (!e)
        return 1;
    e->kind = argc;
    e->on_done = argc > 1 ? release : keep;
    int k = e->kind;
    void (*done)(struct event *) = e->on_done;
    done(e);
    printf("%d\n", k);
    if (done == keep)
        free(e);
    (void)argv;
    return 0;
}
