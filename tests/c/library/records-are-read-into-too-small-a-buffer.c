//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char bytes[4];
    return fread(bytes, 2, 3, stdin) != 3; //~ out-of-bounds
}
