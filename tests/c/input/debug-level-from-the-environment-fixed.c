//@ engines: explicit; verdict: clean
#include <stdlib.h>

static int calls[3];

int main(void) {
    const char *level = getenv("HEAPWISE_LEVEL");
    if (level == NULL) return 0;
    int n = level[0] - '0';
    if (n < 0 || n > 2) return 1;
    calls[n]++;
    return calls[0];
}
