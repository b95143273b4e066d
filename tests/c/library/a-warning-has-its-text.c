//@ engines: explicit, overlay, auto; verdict: safe
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

int main(void)
{
    char *text = malloc(2);
    if (!text)
        return 0;
    strcpy(text, "a");
    warnx("no %s", text);
    warn(NULL);
    dprintf(2, "%s\n", text);
    syslog(LOG_ERR, "no %s: %m", text);
    free(text);
    return 0;
}
