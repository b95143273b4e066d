//@ differential
#include <stdio.h>

static int classify(int n)
{
    int r = 0;
    switch (n) {
    case 1:
        r += 1;
    case 2:
        r += 10;
        break;
    default:
        r += 100;
    case 3:
    case 4:
        r += 1000;
        if (n == 4)
            break;
        r += 10000;
        break;
    case -1:
        return -1;
    }
    return r;
}

int main(void)
{
    for (int i = -2; i < 7; i++)
        printf("%d ", classify(i));
    switch (3)
        ;
    switch (5)
    case 5:
        printf("single\n");
    switch (1) {
        int hidden;
    case 1:
        hidden = 4;
        printf("%d\n", hidden);
    }
    return 0;
}
