//@ differential
// Objects seen through char pointers.
#include <stdio.h>
#include <string.h>

struct record { int a; char b; short c; long d; };

static unsigned checksum(const void *p, size_t n)
{
    unsigned sum = 1;
    for (const unsigned char *b = p; n > 0; n--)
        sum = sum * 31 + *b++;
    return sum;
}

int main(void)
{
    struct record r;
    memset(&r, 0, sizeof r);
    r.a = 0x01020304;
    r.b = 'B';
    r.c = -2;
    r.d = 0x1122334455667788;
    printf("%u\n", checksum(&r, sizeof r));
    unsigned char *bytes = (unsigned char *)&r;
    printf("%d %d %d\n", bytes[0], bytes[3], bytes[7]);
    bytes[0] = 0xff;
    bytes[15] = 0x80;
    printf("%x %lx\n", r.a, r.d);
    int *halves = (int *)bytes;
    printf("%x\n", halves[0]);
    short shorts[2];
    memcpy(shorts, &r.a, sizeof shorts);
    printf("%d %d\n", shorts[0], shorts[1]);
    char raw[sizeof r];
    memcpy(raw, &r, sizeof r);
    struct record copy;
    memcpy(&copy, raw, sizeof copy);
    printf("%d %d\n", copy.c, memcmp(&copy, &r, sizeof r));
    memset(&copy.d, 0xff, sizeof copy.d);
    memset((char *)&copy + 1, 0, 2);
    printf("%ld %x\n", copy.d, copy.a);
    return 0;
}
