//@ differential
#include <stdio.h>
#include <stdlib.h>

struct shape;
struct operations {
    double (*area)(const struct shape *);
    void (*scale)(struct shape *, int);
    const char *name;
};
struct shape { const struct operations *ops; };
struct square { struct shape base; int side; };
struct circle { struct shape base; int radius; };

static double square_area(const struct shape *s) { return ((const struct square *)s)->side * 1.0 * ((const struct square *)s)->side; }
static void square_scale(struct shape *s, int by) { ((struct square *)s)->side *= by; }
static double circle_area(const struct shape *s) { int r = ((const struct circle *)s)->radius; return 3 * r * r; }
static void circle_scale(struct shape *s, int by) { ((struct circle *)s)->radius += by; }

static const struct operations squares = { square_area, square_scale, "square" };
static const struct operations circles = { .name = "circle", .scale = circle_scale, .area = circle_area };

int main(void)
{
    struct square *q = malloc(sizeof *q);
    struct circle c = { { &circles }, 4 };
    if (!q)
        return 1;
    *q = (struct square){ { &squares }, 3 };
    struct shape *all[] = { &q->base, &c.base, NULL };
    for (struct shape **s = all; *s; s++) {
        (*s)->ops->scale(*s, 2);
        printf("%s %.1f\n", (*s)->ops->name, (*s)->ops->area(*s));
    }
    free(q);
    return 0;
}
