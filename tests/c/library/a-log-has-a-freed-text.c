//@ engines: explicit, auto; verdict: unsafe
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsyslog(LOG_ERR, format, list); //~ use-after-free
    va_end(list);
}

int main(void)
{
    char *text = malloc(2);
    if (!text)
        return 0;
    strcpy(text, "a");
    say("here: %s", text);
    free(text);
    say("gone: %s", text);
    return 0;
}
