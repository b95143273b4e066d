//@ differential
#include <stdio.h>

struct point { int x, y; };
struct rect { struct point min, max; char tag[4]; };

static struct rect grow(struct rect r, int by)
{
    r.min.x -= by;
    r.min.y -= by;
    r.max = (struct point){ r.max.x + by, r.max.y + by };
    r.tag[0]++;
    return r;
}

static struct point center(struct rect r)
{
    return (struct point){ (r.min.x + r.max.x) / 2, (r.min.y + r.max.y) / 2 };
}

int main(void)
{
    struct rect a = { { 1, 2 }, { 5, 8 }, "abc" };
    struct rect b = grow(a, 3), c;
    c = b;
    c.tag[1] = 'z';
    printf("%d %d %d %d %s\n", a.min.x, a.min.y, a.max.x, a.max.y, a.tag);
    printf("%d %d %d %d %s\n", b.min.x, b.min.y, b.max.x, b.max.y, b.tag);
    printf("%s %d\n", c.tag, grow(grow(a, 1), 2).max.y);
    printf("%d %d\n", center(a).x, center(grow(c, 10)).y);
    struct rect many[2] = { a, b };
    many[0] = many[1];
    many[1].min = center(a);
    printf("%d %d\n", many[0].min.x, many[1].min.y);
    return 0;
}
