//@ engines: explicit, auto; verdict: unknown
#include <unistd.h>

int main(void)
{
    execl("/bin/ls", "ls", "-l");
    return 1;
}
