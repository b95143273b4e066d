//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

struct shape {
    int sides;
    double *length;
};

static struct shape *make(int sides) {
    struct shape *s = malloc(sizeof *s);
    if (!s) return NULL;
    s->length = malloc(sides * sizeof *s->length);
    if (!s->length) {
        free(s);
        return NULL;
    }
    s->sides = sides;
    for (int i = 0; i < sides; i++)
        s->length[i] = 1.0;
    return s;
}

int main(void) {
    struct shape *all[8];
    int n = 0;
    for (int i = 0; i < 8; i++) {
        struct shape *s = make(i + 3);
        if (!s) break;
        all[n++] = s;
    }
    for (int i = 0; i < n; i++) {
        free(all[i]); //~ may leak
        free(all[i]->length); //~ use-after-free
    }
    return 0;
}
