//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <ctype.h>
int main(void) {
    int counts[10] = { 0 };
    int c;
    while ((c = getchar()) != EOF)
        if (isalnum(c))
            counts[c - '0']++; //~ out-of-bounds
    for (int i = 0; i < 10; i++)
        printf("%d ", counts[i]);
    putchar('\n');
    return 0;
}
