//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void) {
    char *data;
    char small[50], large[100];
    data = small;
    data[0] = '\0';
    char source[100];
    memset(source, 'C', 99);
    source[99] = '\0';
    memcpy(data, source, 100 * sizeof(char)); //~ out-of-bounds
    data[99] = '\0';
    puts(data);
    return 0;
}
