//@ differential
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static void fill(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc(const char *s)
{
    uint32_t c = ~0u;
    while (*s)
        c = table[(c ^ (uint8_t)*s++) & 0xff] ^ (c >> 8);
    return ~c;
}

int main(void)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fill();
    printf("%08x %08x %08x\n", crc(""), crc("123456789"), crc("heap"));
    const uint8_t data[] = { 0x14, 0xfb, 0x9c, 0x03, 0xd9, 0x7e };
    for (int i = 0; i < 6; i += 3) {
        uint32_t w = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
        for (int k = 18; k >= 0; k -= 6)
            putchar(alphabet[w >> k & 63]);
    }
    putchar('\n');
    uint16_t a = 1, b = 0;
    for (const char *p = "Wikipedia"; *p; p++) {
        a = (a + (uint8_t)*p) % 65521;
        b = (b + a) % 65521;
    }
    printf("%x\n", (unsigned)b << 16 | a);
    return 0;
}
