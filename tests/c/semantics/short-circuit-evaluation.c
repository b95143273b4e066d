//@ differential
#include <stdio.h>

static int calls;
static int yes(int n) { calls = calls * 10 + n; return 1; }
static int no(int n) { calls = calls * 10 + n; return 0; }

int main(void)
{
    int r = (yes(1) && no(2) && yes(3)) || yes(4);
    printf("%d %d\n", r, calls);
    calls = 0;
    r = no(1) || (yes(2) && !no(3)) || yes(4);
    printf("%d %d\n", r, calls);
    calls = 0;
    if (!(yes(1) || yes(2)) || (no(3) && yes(4)))
        printf("wrong\n");
    printf("%d\n", calls);
    int *p = 0;
    if (p && *p)
        printf("wrong\n");
    int n = 5;
    while (n-- && n != 2)
        ;
    printf("%d\n", n);
    printf("%d %d\n", 3 && 4, 0 || 0.5);
    int v = (n == 2) + (n == 3) * 2 - !n;
    printf("%d\n", v);
    return 0;
}
