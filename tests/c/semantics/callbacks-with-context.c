//@ differential
#include <stdio.h>

struct visitor { void (*visit)(struct visitor *, int); };
struct summer { struct visitor base; long total; };
struct printer { int indent; struct visitor base; };

static void add(struct visitor *v, int x)
{
    ((struct summer *)v)->total += x;
}

static void print(struct visitor *v, int x)
{
    struct printer *p = (struct printer *)((char *)v - __builtin_offsetof(struct printer, base));
    printf("%*d\n", p->indent++, x);
}

static void each(struct visitor *v, const int *a, int n)
{
    while (n-- > 0)
        v->visit(v, *a++);
}

static void apply(void (*f)(void *, int), void *context, int n)
{
    for (int i = 0; i < n; i++)
        f(context, i);
}

static void store(void *context, int i)
{
    int **cursor = context;
    *(*cursor)++ = i * i;
}

int main(void)
{
    int v[] = { 4, 8, 15, 16 };
    struct summer s = { { add }, 0 };
    struct printer p = { 2, { print } };
    each(&s.base, v, 4);
    each(&p.base, v, 4);
    printf("%ld %d\n", s.total, p.indent);
    int out[5], *cursor = out;
    apply(store, &cursor, 5);
    printf("%d %d %d\n", out[4], out[2], (int)(cursor - out));
    return 0;
}
