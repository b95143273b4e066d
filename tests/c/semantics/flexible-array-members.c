//@ differential
#include <stdio.h>
#include <stdlib.h>

struct vector { int used; short data[]; };

static struct { int n; int v[]; } table = { 3, { 4, 5, 6 } };

int main(void)
{
    struct vector *v = malloc(sizeof *v + 10 * sizeof v->data[0]);
    if (!v)
        return 1;
    v->used = 0;
    for (int i = 0; i < 10; i++)
        v->data[v->used++] = i * i * 1000;
    int sum = 0;
    for (int i = 0; i < v->used; i++)
        sum += v->data[i];
    printf("%d %zu\n", sum, sizeof *v);
    struct vector *w = realloc(v, sizeof *v + 20 * sizeof v->data[0]);
    if (!w) {
        free(v);
        return 1;
    }
    while (w->used < 20) {
        w->data[w->used] = -w->used;
        w->used++;
    }
    printf("%d %d\n", w->data[9], w->data[19]);
    free(w);
    for (int i = 0; i < table.n; i++)
        printf("%d ", table.v[i]);
    printf("\n");
    return 0;
}
