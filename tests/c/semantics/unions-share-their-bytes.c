//@ differential
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union word {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
    struct { uint8_t low, mid; uint16_t high; } parts;
};

union number { double d; uint64_t bits; float f; };

int main(void)
{
    union word w = { 0x11223344 };
    printf("%x %x %x %x %x\n", w.half[0], w.half[1], w.byte[0], w.byte[3], w.parts.high);
    w.byte[1] = 0xee;
    w.parts.high++;
    printf("%x\n", w.whole);
    union number n;
    n.d = 1.0;
    printf("%llx\n", (unsigned long long)n.bits);
    n.bits = 0x400921fb54442d18;
    printf("%.6f\n", n.d);
    n.bits = 0;
    n.f = -2.0f;
    printf("%llx\n", (unsigned long long)n.bits);
    union word copy = w, *p = &copy;
    p->half[0] = 0;
    printf("%x %x %zu %zu\n", copy.whole, w.whole, sizeof(union word), sizeof(union number));
    return 0;
}
