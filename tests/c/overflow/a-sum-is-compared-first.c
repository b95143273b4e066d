//@ engines: explicit, overlay; verdict: safe
//@ args: --property overflow
#include <limits.h>
#include <stdio.h>

int main(void) {
    int x;
    if (scanf("%d", &x) != 1 || x == INT_MAX) return 1;
    printf("%d\n", x + 1);
    return 0;
}
