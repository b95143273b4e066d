//@ engines: explicit; verdict: clean
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int sides;
    if (scanf("%d", &sides) != 1) return 1;
    if (sides < 1) return 1;
    printf("%d\n", rand() % sides + 1);
    return 0;
}
