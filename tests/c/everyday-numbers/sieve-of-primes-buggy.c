//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <string.h>
#define N 99

int main(void) {
    char composite[N + 1];
    memset(composite, 0, sizeof composite);
    for (int i = 2; i <= N; i++) {
        if (composite[i]) continue;
        for (int j = 2 * i; j <= N + 1; j += i)
            composite[j] = 1; //~ out-of-bounds
    }
    for (int i = 2; i <= N; i++)
        if (!composite[i]) printf("%d\n", i);
    return 0;
}
