//@ engines: explicit, graph, tvl, overlay; verdict: safe
#include <stdio.h>

int main(void) {
    float f = 1;
    long double l = 2;
    printf("%5.*f %Lf %c %s %p %zu %hhd %%\n", 2, f, l, 'c', "text", (void *)&f, sizeof f, (char)1);
    return 0;
}
