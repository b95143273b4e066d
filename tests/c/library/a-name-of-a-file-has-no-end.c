//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    char name[3];
    memcpy(name, "abc", 3);
    return access(name, R_OK); //~ out-of-bounds
}
