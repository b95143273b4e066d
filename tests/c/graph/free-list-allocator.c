//@ engines: graph; verdict: safe
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct obj { int payload; struct obj *next; };
static struct obj *free_list;

static struct obj *get(void)
{
    struct obj *o = free_list;
    if (o != NULL) {
        free_list = o->next;
        o->next = NULL;
        return o;
    }
    o = malloc(sizeof *o);
    if (o != NULL) {
        o->payload = 0;
        o->next = NULL;
    }
    return o;
}

static void put(struct obj *o)
{
    o->next = free_list;
    free_list = o;
}

static void drain(void)
{
    while (free_list) {
        struct obj *o = free_list;
        free_list = o->next;
        free(o);
    }
}

int main(void)
{
    struct obj *busy = NULL;
    for (;;) {
        struct obj *o;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            o = get();
            if (!o)
                goto out;
            o->next = busy;
            busy = o;
            break;
        case 1:
            if (busy) {
                o = busy;
                busy = busy->next;
                put(o);
            }
            break;
        case 2:
            goto out;
        default:
            continue;
        }
    }
out:
    while (busy) {
        struct obj *o = busy;
        busy = o->next;
        put(o);
    }
    drain();
    return 0;
}
