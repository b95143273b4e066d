//@ differential
#include <stddef.h>
#include <stdio.h>

struct triple { short a, b, c; };

int main(void)
{
    int v[10];
    for (int *p = v; p != v + 10; p++)
        *p = (int)(p - v) * 3;
    int *first = &v[2], *last = &v[9];
    ptrdiff_t d = last - first;
    printf("%td %td %d\n", d, first - last, first < last);
    printf("%d %d %d\n", *(last - 3), first[4], *(4 + first));
    int *middle = first + (last - first) / 2;
    printf("%d %td\n", *middle, middle - v);
    struct triple t[4] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 }, { 10, 11, 12 } };
    struct triple *q = t;
    q += 2;
    short *s = &q->b;
    printf("%d %d %d %td\n", *s, s[1], s[-1], (char *)s - (char *)t);
    printf("%d ", (--q)->c);
    printf("%d\n", q++->a);
    printf("%d %d\n", q == &t[2], 1[v] + 2[v]);
    int **pp = &first;
    ++*pp;
    (*pp)++;
    printf("%d %td\n", **pp, first - v);
    return 0;
}
