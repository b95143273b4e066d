//@ differential
#include <stdio.h>
#include <stdlib.h>

static void finish(int code)
{
    if (code > 300)
        exit(code);
    finish(code * 2);
}

int main(void)
{
    puts("going");
    finish(5);
}
