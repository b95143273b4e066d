//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int *shared = malloc(sizeof *shared);
    if (!shared)
        return 1;
    if (fork() == 0) {
        free(shared);
        *shared = 1; //~ use-after-free
        _exit(0);
    }
    free(shared);
    return 0;
}
