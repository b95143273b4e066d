//@ engines: explicit, auto; verdict: safe
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    pid_t child = fork();
    if (child < 0)
        return 1;
    if (child == 0)
        _exit(3);
    if (waitpid(child, &status, 0) < 0)
        return 1;
    return status == 0;
}
