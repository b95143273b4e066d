//@ engines: explicit, auto; verdict: unsafe
#include <err.h>
#include <stdarg.h>

static void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    verr(1, format, list); //~ uninitialised
}

int main(void)
{
    int number;
    die("%d", number);
}
