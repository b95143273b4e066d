//@ engines: overlay; verdict: unknown
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char buffer[64];
    long n = read(0, buffer, sizeof buffer - 1);
    if (n < 0) return 1;
    puts(buffer);
    return 0;
}
