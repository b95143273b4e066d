//@ differential
#include <stdio.h>

static int x = 1;

static int outer(int x)
{
    int total = x;
    {
        int x = total * 2;
        total += x;
        for (int x = 0; x < 2; x++) {
            extern int unrelated;
            total += x + unrelated;
            int x = 100;
            total += x;
        }
        total += x;
    }
    struct x { int x; } s = { 5 };
    enum { y = 3 };
    total += s.x * y;
    {
        enum { y = 4 };
        typedef int x;
        x z = y;
        total += z;
    }
    return total + x;
}

int unrelated = 1000;

int main(void)
{
    printf("%d\n", outer(10));
    int *p;
    for (int i = 0; i < 3; i++) {
        int fresh = i;
        p = &fresh;
        ++*p;
        printf("%d ", fresh);
    }
    printf("%d\n", x);
    return 0;
}
