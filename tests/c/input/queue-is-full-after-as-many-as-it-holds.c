//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int queue[2], tail = 0, value;
    while (scanf("%d", &value) == 1) {
        if (tail > 2) break;
        queue[tail++] = value; //~ out-of-bounds
    }
    return 0;
}
