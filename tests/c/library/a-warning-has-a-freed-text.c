//@ engines: explicit, overlay, auto; verdict: unsafe
#include <err.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(2);
    if (!text)
        return 0;
    strcpy(text, "a");
    free(text);
    warnx("no %s", text); //~ use-after-free
    return 0;
}
