//@ differential
#include <stdio.h>

static int log_value(int x)
{
    printf("[%d]", x);
    return x;
}

int main(void)
{
    int a = (log_value(1), log_value(2), 3);
    int b = log_value(0) ? log_value(10) : log_value(20);
    int c = log_value(5) ?: log_value(6);
    int d = log_value(0) ?: log_value(7);
    printf("\n%d %d %d %d\n", a, b, c, d);
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 2)
        printf("%d-%d ", i, j);
    printf("%d\n", (i > 3, j > 3) ? 1 : 2);
    int x = 3;
    *(x > 2 ? &a : &b) = 99;
    printf("%d %d %ld\n", a, b, x ? 1 : 2l);
    const char *s = x == 3 ? x == 4 ? "both" : "three" : "none";
    printf("%s\n", s);
    printf("%d\n", x > 0 ? -1 : 1u > 2);
    return 0;
}
