//@ engines: explicit, graph, tvl, overlay; verdict: unknown
#include <stdio.h>

int main(void) {
    char text[40];
    snprintf(text, sizeof text, "%s: %d", "value", 1.5);
    return 0;
}
