//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *name = strdup("list");
    if (!name)
        return 1;
    char *arguments[] = { "ls", name, NULL };
    free(name);
    execvp("ls", arguments); //~ use-after-free
    return 1;
}
