//@ engines: explicit; verdict: unknown
#include <assert.h>
#include <sys/wait.h>

int main(void)
{
    int status;
    if (waitpid(5, &status, 0) <= 0)
        return 1;
    assert(WIFEXITED(status) || WIFSIGNALED(status)); //~ may assert
    return 0;
}
