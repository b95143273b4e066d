//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int scores[3], n, sum = 0;
    if (scanf("%d", &n) != 1 || n < 0) return 1;
    for (int i = 0; i < n; i++)
        scores[i] = i; //~ out-of-bounds
    for (int i = 0; i < n; i++) sum += scores[i];
    printf("%d\n", sum);
    return 0;
}
