//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char path[256];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n < 0)
        return 1;
    path[n] = '\0'; //~ out-of-bounds
    puts(path);
    return 0;
}
