//@ engines: overlay; verdict: unsafe
// Cells point to a constant table of operations.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct shape;

struct operations {
    int (*area)(const struct shape *);
    void (*destroy)(struct shape *);
};

struct shape {
    const struct operations *operations;
    struct shape *next;
    int side;
    int *points;
};

static int square_area(const struct shape *shape)
{
    return shape->side * shape->side;
}

static int polygon_area(const struct shape *shape)
{
    return shape->points[0] + shape->points[3];
}

static void square_destroy(struct shape *shape)
{
    free(shape); //~ leak
}

static void polygon_destroy(struct shape *shape)
{
    free(shape->points);
    free(shape);
}

static const struct operations square = { square_area, square_destroy };
static const struct operations polygon = { polygon_area, square_destroy };

static struct shape *new_square(struct shape *next)
{
    struct shape *shape = malloc(sizeof *shape);
    if (!shape)
        abort();
    shape->operations = &square;
    shape->next = next;
    shape->side = 4;
    shape->points = NULL;
    return shape;
}

static struct shape *new_polygon(struct shape *next)
{
    struct shape *shape = malloc(sizeof *shape);
    if (!shape)
        abort();
    shape->operations = &polygon;
    shape->next = next;
    shape->side = 0;
    shape->points = calloc(4, sizeof(int));
    if (!shape->points)
        abort();
    return shape;
}

int main(void)
{
    struct shape *shapes = NULL;
    while (__VERIFIER_nondet_int())
        shapes = __VERIFIER_nondet_int() ? new_square(shapes) : new_polygon(shapes);
    int sum = 0;
    while (shapes) {
        struct shape *next = shapes->next;
        sum += shapes->operations->area(shapes);
        shapes->operations->destroy(shapes);
        shapes = next;
    }
    return sum;
}
