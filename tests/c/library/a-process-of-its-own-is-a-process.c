//@ engines: explicit, auto; verdict: safe
// What the parent has, its child has too, and each of them uses it alone.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int *shared = malloc(sizeof *shared);
    if (!shared)
        return 1;
    *shared = 1;
    pid_t child = fork();
    if (child == 0) {
        free(shared);
        _exit(0);
    }
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) < 0)
        status = 1;
    free(shared);
    return status != 0;
}
