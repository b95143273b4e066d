//@ differential
#include <stdio.h>

static int x;

int main(void)
{
    for (x = 0; x < 3; x++)
        printf("%d\n", x);
}
