//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char bytes[4];
    read(0, bytes, 100); //~ out-of-bounds
    return 0;
}
