//@ engines: explicit; verdict: safe
// A constructor that fills a local node and returns its address.
#include <stdlib.h>

struct point {
    int x, y;
    struct point *next;
};

static struct point *initialise(struct point *point, int x, int y)
{
    point->x = x;
    point->y = y;
    point->next = NULL;
    return point;
}

static struct point *point_new(int x, int y)
{
    struct point *point = malloc(sizeof *point);
    if (!point)
        return NULL;
    return initialise(point, x, y);
}

int main(void)
{
    struct point *path = point_new(0, 0);
    if (!path)
        return 1;
    path->next = point_new(3, 4);
    int length = path->next ? path->next->x + path->next->y : 0;
    free(path->next);
    free(path);
    return length > 7;
}
