//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int width, height;
    int cell[8][8];
};

int main(void) {
    struct grid *g = malloc(sizeof *g);
    if (!g) return 1;
    g->width = 8;
    g->height = 8;
    for (int y = 0; y < g->height; y++)
        for (int x = 0; x < g->width; x++)
            g->cell[y][x] = x ^ y; //~ may out-of-bounds
    printf("%d\n", g->cell[g->height][0]); //~ out-of-bounds
    free(g);
    return 0;
}
