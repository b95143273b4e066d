//@ engines: overlay; verdict: safe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[64];
    size_t n = fread(buffer, 1, sizeof buffer, stdin);
    int sum = 0;
    for (size_t i = 0; i < n; i++) sum += buffer[i];
    printf("%d\n", sum);
    return 0;
}
