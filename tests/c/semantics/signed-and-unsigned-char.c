//@ differential
#include <stdio.h>

int main(void)
{
    char text[] = "\xff\x80\x7f";
    unsigned char *u = (unsigned char *)text;
    signed char *s = (signed char *)text;
    for (int i = 0; i < 3; i++)
        printf("%d %d %d\n", text[i], u[i], s[i]);
    printf("%d %d\n", text[0] == '\xff', u[0] == 0xff);
    char c = 'a';
    c += 200;
    printf("%d %d\n", c, c == (char)('a' + 200));
    printf("%d %d %d\n", '\n', '\0', '\x41');
    printf("%zu %zu\n", sizeof 'a', sizeof(char));
    return 0;
}
