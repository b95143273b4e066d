//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char name[3];
    sprintf(name, "%d", 1234); //~ out-of-bounds
    return 0;
}
