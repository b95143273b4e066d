//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[64];
    size_t n = fread(buffer, 1, sizeof buffer, stdin);
    buffer[n] = 0; //~ out-of-bounds
    puts(buffer);
    return 0;
}
