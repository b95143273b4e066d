//@ differential
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[] = "0123456789";
    memmove(text + 2, text, 5);
    printf("%s\n", text);
    memmove(text, text + 3, 6);
    printf("%s\n", text);
    memset(text + 1, '-', 3);
    printf("%s\n", text);
    int v[6] = { 1, 2, 3, 4, 5, 6 };
    memmove(v + 1, v, 5 * sizeof *v);
    for (int i = 0; i < 6; i++)
        printf("%d ", v[i]);
    memcpy(v, (int[]){ 9, 8 }, 2 * sizeof *v);
    printf("%d %d %d\n", v[0], v[1], v[2]);
    char *end = memcpy(text, "abc", 3);
    printf("%d %s\n", end == text, text);
    printf("%d\n", memchr("hello", 'l', 5) != NULL);
    return 0;
}
