//@ engines: explicit; verdict: unknown
//@ args: --entry sum --arguments any
#include <stdarg.h>

int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int first = va_arg(list, int);
    va_end(list);
    return first > n;
}
