//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <ctype.h>
int main(void) {
    int counts[10] = { 0 };
    int c;
    while ((c = getchar()) != EOF)
        if (c >= '0' && c <= '9')
            counts[c - '0']++;
    for (int i = 0; i < 10; i++)
        printf("%d ", counts[i]);
    putchar('\n');
    return 0;
}
