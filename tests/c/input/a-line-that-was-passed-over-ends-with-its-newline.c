//@ engines: explicit, graph, tvl; verdict: unknown
#include <stdio.h>

int main(void) {
    scanf("%*[^\n]");
    int next = getchar();
    if (next != EOF && next != '\n') {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
