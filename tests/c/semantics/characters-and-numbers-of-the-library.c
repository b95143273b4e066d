//@ differential
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *text = "Ab9 _\n";
    for (const char *p = text; *p; p++)
        printf("%d%d%d%d ", !!isalpha(*p), !!isdigit(*p), !!isspace(*p), !!isupper(*p));
    printf("%c%c\n", toupper('x'), tolower('Q'));
    char *end;
    printf("%ld %d ", strtol("  -42abc", &end, 10), atoi("123"));
    printf("%s\n", end);
    printf("%lx %lu\n", strtol("ff", NULL, 16), strtoul("010", NULL, 0));
    printf("%d %d\n", abs(-4), (int)labs(-5l));
    char copy[16];
    strncpy(copy, "abcdef", 3);
    copy[3] = 0;
    printf("%s %zu %zu\n", copy, strspn("aabc", "ab"), strcspn("hello", "l"));
    char words[] = "one two  three";
    for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
        printf("[%s]", w);
    printf("\n");
    return 0;
}
