//@ engines: explicit, tvl; verdict: unsafe
/* Through two calls, one of them of a function that calls itself; set on one way only. */
#include <stdlib.h>

static int carried(int value, int times)
{
    if (times > 0)
        return carried(value, times - 1);
    return value;
}

static int passed(int value)
{
    return carried(value, 2);
}

int main(void)
{
    int flag;
    if (rand() % 2)
        flag = rand();
    int result = passed(flag);
    if (result > 3) //~ uninitialised
        return 1;
    return 0;
}
