//@ differential
#include <stdio.h>

#define kind(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", double: "double", char *: "string", \
                         const char *: "const string", default: "other")

_Static_assert(sizeof(int) == 4, "int is four bytes");

int main(void)
{
    short s = 1;
    char c = 'c';
    printf("%s %s %s %s\n", kind(1), kind(s), kind(s + s), kind(c));
    printf("%s %s %s\n", kind(1u + 1), kind(1l), kind(1.0f * 2.0));
    printf("%s %s %s\n", kind("x"), kind(1 ? 1 : 2l), kind(1 == 2));
    __typeof__(&s) p = &s;
    *p = 9;
    __auto_type d = 2.5;
    __typeof__(d) e = d * 2;
    printf("%d %.1f\n", s, e);
    return _Generic(0ull, unsigned long long: 3, default: 4);
}
