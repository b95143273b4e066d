//@ differential
#include <stdio.h>

static int counter(void)
{
    static int n = 10;
    return n++;
}

static int *remember(int x)
{
    static int last[3];
    static int at;
    last[at++ % 3] = x;
    return last;
}

static int nested(int depth)
{
    static int deepest;
    if (depth > deepest)
        deepest = depth;
    if (depth < 4)
        nested(depth + 1);
    {
        static int n = 100;
        n++;
        deepest += n % 2;
    }
    return deepest;
}

int main(void)
{
    static const char *const words[] = { "x", "y" };
    counter();
    counter();
    printf("%d\n", counter());
    for (int i = 1; i < 6; i++)
        remember(i);
    int *p = remember(6);
    printf("%d %d %d\n", p[0], p[1], p[2]);
    printf("%d ", nested(1));
    printf("%d\n", nested(2));
    printf("%s%s\n", words[1], words[0]);
    return 0;
}
