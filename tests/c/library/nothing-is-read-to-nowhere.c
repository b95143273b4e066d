//@ engines: explicit, overlay, auto; verdict: safe
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    read(0, NULL, 0);
    write(1, NULL, 0);
    return snprintf(NULL, 0, "%d", 3) != 1;
}
