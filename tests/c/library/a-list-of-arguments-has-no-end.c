//@ engines: explicit, auto; verdict: unsafe
#include <unistd.h>

int main(void)
{
    char *arguments[2] = { "ls", "-l" };
    execvp("ls", arguments); //~ out-of-bounds
    return 1;
}
