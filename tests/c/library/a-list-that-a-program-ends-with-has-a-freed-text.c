//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl, overlay, region; verdict: unknown
#include <err.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    verrx(1, format, list); //~ may use-after-free
}

int main(void)
{
    char *text = malloc(2);
    if (!text)
        return 0;
    strcpy(text, "a");
    free(text);
    die("no %s", text);
}
