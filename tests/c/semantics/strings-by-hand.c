//@ differential
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *reverse(char *s)
{
    for (char *a = s, *b = s + strlen(s) - 1; a < b; a++, b--) {
        char t = *a;
        *a = *b;
        *b = t;
    }
    return s;
}

static char *number(int n)
{
    static char buffer[12];
    char *p = buffer + sizeof buffer;
    unsigned u = n < 0 ? -(unsigned)n : (unsigned)n;
    *--p = '\0';
    do
        *--p = '0' + u % 10;
    while (u /= 10);
    if (n < 0)
        *--p = '-';
    return p;
}

int main(void)
{
    char text[] = "stressed";
    printf("%s %s %s\n", reverse(text), number(-2147483647 - 1) + 0, "");
    printf("%s\n", number(907));
    char *copy = strdup("a,b,,c");
    if (!copy)
        return 1;
    int fields = 1;
    for (char *p = copy; *p; p++) {
        if (*p == ',') {
            *p = '\0';
            fields++;
        }
    }
    printf("%d", fields);
    char *p = copy;
    while (fields--) {
        printf("[%s]", p);
        p += strlen(p) + 1;
    }
    printf("\n");
    free(copy);
    unsigned char utf8[] = { 0xe2, 0x82, 0xac, 0 };
    printf("%x\n", (utf8[0] & 15) << 12 | (utf8[1] & 63) << 6 | (utf8[2] & 63));
    return 0;
}
