//@ engines: explicit; verdict: unknown
#include <sys/stat.h>

int main(void)
{
    struct stat status;
    if (stat("data.txt", &status) != 0)
        return 0;
    if (status.st_size < 0)
        *(volatile int *)0 = 1; //~ may null-deref
    return 0;
}
