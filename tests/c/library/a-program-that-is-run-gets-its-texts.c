//@ engines: explicit, auto; verdict: safe
#include <unistd.h>

int main(void)
{
    char *arguments[] = { "ls", "-l", NULL };
    execvp("ls", arguments);
    execl("/bin/ls", "ls", "-l", (char *)NULL);
    return 1;
}
