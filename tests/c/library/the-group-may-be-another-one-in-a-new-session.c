//@ engines: explicit; verdict: unknown
// What the group is after the call, the call decides: a run may not choose it.
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    pid_t before = getpgrp();
    setsid();
    if (getpgrp() != before) {
        int *nowhere = NULL;
        *nowhere = 1; //~ may null-deref
    }
    return 0;
}
