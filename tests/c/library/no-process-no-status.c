//@ engines: explicit, tvl; verdict: unsafe
#include <sys/wait.h>

int main(void)
{
    int status;
    wait(&status);
    return status > 3; //~ uninitialised
}
