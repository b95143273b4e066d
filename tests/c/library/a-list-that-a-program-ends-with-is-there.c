//@ engines: explicit, auto; verdict: safe
// Behind it nothing runs.
#include <err.h>
#include <stdarg.h>
#include <stddef.h>

static void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    verrx(1, format, list);
}

int main(void)
{
    int *nowhere = NULL;
    die("%d of %s", 3, "four");
    *nowhere = 1;
}
