//@ differential
#include <stdio.h>

struct entry {
    unsigned long present : 1;
    unsigned long frame : 40;
    unsigned long flags : 23;
    long delta : 50;
};

int main(void)
{
    struct entry e = { 1, 0xabcdef1234, 0x7fffff, -1 };
    unsigned long frame = e.frame;
    long delta = e.delta;
    printf("%lx %ld %x\n", frame, delta, (unsigned)e.flags);
    e.frame = frame << 4;
    e.delta = -562949953421312;
    printf("%lx %ld\n", (unsigned long)e.frame, (long)e.delta);
    if (e.frame > 0xbcdef12300)
        printf("large\n");
    e.flags = 5;
    e.present = 0;
    printf("%d %lu %zu\n", e.present, (unsigned long)e.flags, sizeof e);
    return 0;
}
