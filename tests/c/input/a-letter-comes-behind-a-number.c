//@ engines: explicit, graph, tvl; verdict: unsafe
#include <stdio.h>

int main(void) {
    int number;
    if (scanf("%d", &number) == 1 && getchar() == 'k') {
        int *p = NULL;
        *p = 1; //~ null-deref
    }
    return 0;
}
