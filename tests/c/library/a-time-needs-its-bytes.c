//@ engines: explicit, graph; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char bytes[2];
    time((time_t *)bytes); //~ out-of-bounds
    return 0;
}
