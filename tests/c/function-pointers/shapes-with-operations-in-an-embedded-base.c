//@ engines: tvl; verdict: safe
// Shapes of two kinds begin with one base, which points to the operations of the kind.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct shape;
struct shape_ops {
    void (*destroy)(struct shape *);
};
struct shape {
    const struct shape_ops *ops;
    struct shape *next;
};
struct point {
    struct point *next;
};
struct circle {
    struct shape base;
    int radius;
};
struct polygon {
    struct shape base;
    struct point *points;
};

static void circle_destroy(struct shape *shape)
{
    free((struct circle *)shape);
}

static void polygon_destroy(struct shape *shape)
{
    struct polygon *polygon = (struct polygon *)shape;
    while (polygon->points) {
        struct point *next = polygon->points->next;
        free(polygon->points);
        polygon->points = next;
    }
    free(polygon);
}

static const struct shape_ops circle_ops = {circle_destroy};
static const struct shape_ops polygon_ops = {polygon_destroy};

static struct shape *circle(struct shape *next)
{
    struct circle *circle = malloc(sizeof *circle);
    if (!circle)
        return next;
    circle->base.ops = &circle_ops;
    circle->base.next = next;
    circle->radius = 1;
    return &circle->base;
}

static struct shape *polygon(struct shape *next)
{
    struct polygon *polygon = malloc(sizeof *polygon);
    if (!polygon)
        return next;
    polygon->base.ops = &polygon_ops;
    polygon->base.next = next;
    polygon->points = NULL;
    while (__VERIFIER_nondet_int()) {
        struct point *point = malloc(sizeof *point);
        if (!point)
            break;
        point->next = polygon->points;
        polygon->points = point;
    }
    return &polygon->base;
}

int main(void)
{
    struct shape *shapes = NULL;
    while (__VERIFIER_nondet_int())
        shapes = __VERIFIER_nondet_int() ? circle(shapes) : polygon(shapes);
    while (shapes) {
        struct shape *next = shapes->next;
        shapes->ops->destroy(shapes);
        shapes = next;
    }
    return 0;
}
