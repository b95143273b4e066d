//@ engines: explicit, auto; verdict: unsafe
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
    if (waitpid(child, &status, WNOHANG) < 0)
        return 1;
    return status == 0; //~ uninitialised
}
