//@ differential
#include <stdio.h>
#include <string.h>

static const char joined[] = "one" " two" "\tthree\x21" "\101";

int main(void)
{
    char buffer[20] = "abc";
    const char *p = "hello" + 1;
    printf("%s %zu %zu\n", joined, sizeof joined, strlen(joined));
    printf("%s %c %d\n", p, "xyz"[1], "xyz"[3]);
    printf("%d %d %d\n", buffer[2], buffer[3], buffer[19]);
    strcat(buffer, "def");
    strcpy(buffer + 6, "gh");
    printf("%s %zu\n", buffer, strlen(buffer));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp(buffer, "abcdefgh"));
    printf("%d %d\n", strncmp("abcx", "abcy", 3), memcmp("aa", "ab", 2) < 0);
    printf("%s %s\n", strchr(buffer, 'd'), strrchr("a/b/c", '/'));
    printf("%s|%.3s|%5s|%-5s|\n", strstr("needle in hay", "in"), "abcdef", "ab", "cd");
    printf("%s\n", __func__);
    return 0;
}
