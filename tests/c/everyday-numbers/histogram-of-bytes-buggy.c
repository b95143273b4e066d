//@ engines: auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int count[256] = {0};
    int c;
    while ((c = getchar()) != EOF)
        count[c + 1]++; //~ out-of-bounds
    for (int i = 0; i < 256; i++)
        if (count[i])
            printf("%d: %d\n", i, count[i]);
    return 0;
}
