//@ differential
#include <stdio.h>
#include <string.h>

struct gap {
    unsigned char a : 3;
    unsigned char : 0;
    unsigned char b : 3;
    unsigned : 5;
    unsigned c : 9;
};

struct __attribute__((packed)) tight {
    unsigned a : 3;
    unsigned b : 17;
    unsigned c : 12;
    char d;
    int e;
};

static void dump(const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", b[i]);
    printf("\n");
}

int main(void)
{
    struct gap g;
    struct tight t;
    memset(&g, 0, sizeof g);
    memset(&t, 0, sizeof t);
    g.a = 5;
    g.b = 6;
    g.c = 0x155;
    t.a = 7;
    t.b = 0x1abcd;
    t.c = 0xfed;
    t.d = 'x';
    t.e = 0x01020304;
    printf("%zu %zu\n", sizeof g, sizeof t);
    dump(&g, sizeof g);
    dump(&t, sizeof t);
    printf("%u %u %u %u %u %u %d\n", g.a, g.b, g.c, t.a, t.b, t.c, t.e);
    return 0;
}
