//@ engines: explicit, overlay; verdict: unsafe
//@ args: --property overflow
#include <stdio.h>

int main(void) {
    int x;
    if (scanf("%d", &x) != 1) return 1;
    printf("%d\n", x + 1); //~ overflow
    return 0;
}
