//@ engines: explicit, graph, tvl; verdict: unknown
#include <stdio.h>

int main(void) {
    int number;
    if (scanf("%d", &number) == 1) {
        int next = getchar();
        if (next >= '0' && next <= '9') {
            int *p = NULL;
            *p = 1; //~ may null-deref
        }
    }
    return 0;
}
