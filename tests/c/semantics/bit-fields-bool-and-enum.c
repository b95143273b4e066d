//@ differential
#include <stdio.h>

enum color { RED, GREEN, BLUE };

struct pixel {
    _Bool on : 1;
    enum color color : 2;
    unsigned long wide : 35;
    _Bool blink : 1;
};

int main(void)
{
    struct pixel p = { .on = 2, .color = BLUE, .wide = 1ul << 34, .blink = 0 };
    printf("%d %d %lu %d\n", p.on, p.color, (unsigned long)p.wide, p.blink);
    p.on = 0;
    p.blink = 8;
    p.wide = (unsigned long)p.wide * 2 + 3;
    p.color = p.color == BLUE ? GREEN : RED;
    printf("%d %d %lu %d\n", p.on, p.color, (unsigned long)p.wide, p.blink);
    struct pixel q = p;
    q.color = RED;
    printf("%d %d %zu\n", p.color, q.color, sizeof q);
    return 0;
}
