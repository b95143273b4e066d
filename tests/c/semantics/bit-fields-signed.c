//@ differential
#include <stdio.h>

struct small {
    int a : 3;
    signed b : 7;
    int c : 22;
    long d : 40;
    signed char e : 4;
};

int main(void)
{
    struct small s = { 0 };
    for (int i = -5; i <= 5; i++) {
        s.a = i;
        s.b = i * 13;
        s.c = i * 1000000;
        s.d = i * 200000000000;
        s.e = i * 2;
        printf("%d %d %d %ld %d\n", s.a, s.b, s.c, (long)s.d, s.e);
    }
    int value = (s.a = 5);
    printf("%d %d\n", value, s.a);
    s.a--;
    s.a--;
    printf("%d\n", s.a++);
    printf("%d\n", s.a);
    return 0;
}
