//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

static void clear(char *p, size_t len) {
    while (len--)
        *p++ = 0;
}

int main(void) {
    size_t n = 40;
    char *buffer = malloc(n);
    if (!buffer) return 1;
    clear(buffer, n);
    printf("%d\n", buffer[39]);
    free(buffer);
    return 0;
}
