//@ engines: explicit; verdict: safe
#include <stdarg.h>

static int plus(int n) { return n + 1; }
static int minus(int n) { return n - 1; }

static int apply(int value, int count, ...)
{
    va_list list;
    va_start(list, count);
    while (count-- > 0) {
        int (*step)(int) = va_arg(list, int (*)(int));
        value = step(value);
    }
    va_end(list);
    return value;
}

int main(void)
{
    return apply(5, 3, plus, plus, minus) != 6;
}
