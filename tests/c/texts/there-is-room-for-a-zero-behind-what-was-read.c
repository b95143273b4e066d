//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[64];
    size_t n = fread(buffer, 1, sizeof buffer - 1, stdin);
    buffer[n] = 0;
    puts(buffer);
    return 0;
}
