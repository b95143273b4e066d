//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char bytes[4] = {0};
    write(1, bytes, 5); //~ out-of-bounds
    return 0;
}
