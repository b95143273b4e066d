//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int number;
    scanf("%d", &number);
    if (number > 3) //~ uninitialised
        return 1;
    return 0;
}
