//@ differential
#include <stdio.h>
#include <stdlib.h>

struct inner { int *slot; struct { unsigned char tag; short v[3]; } box; };
struct outer { struct inner *in[2]; struct inner own; };

static void poke(struct outer *o, int which, short x)
{
    struct inner *i = which < 2 ? o->in[which] : &o->own;
    i->box.v[which] += x;
    i->box.tag--;
    *i->slot += i->box.v[which];
}

int main(void)
{
    int total = 0;
    struct outer *o = calloc(1, sizeof *o);
    if (!o)
        return 1;
    o->own.slot = &total;
    o->in[0] = &o->own;
    o->in[1] = malloc(sizeof(struct inner));
    if (!o->in[1]) {
        free(o);
        return 1;
    }
    *o->in[1] = o->own;
    for (int k = 0; k < 3; k++)
        for (short x = -1; x < 3; x++)
            poke(o, k, x * 3);
    printf("%d %d %d\n", total, o->own.box.tag, o->in[1]->box.tag);
    printf("%d %d %d\n", o->own.box.v[0], o->in[1]->box.v[1], o->in[0]->box.v[2]);
    free(o->in[1]);
    free(o);
    return 0;
}
