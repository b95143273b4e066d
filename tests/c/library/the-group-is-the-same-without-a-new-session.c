//@ engines: explicit, auto; verdict: safe
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    pid_t before = getpgrp();
    if (getpgrp() != before) {
        int *nowhere = NULL;
        *nowhere = 1;
    }
    return 0;
}
