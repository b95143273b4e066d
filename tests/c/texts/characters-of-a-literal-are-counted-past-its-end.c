//@ engines: overlay; verdict: unsafe
#include <stddef.h>

static size_t length(const char *text) {
    const char *end = text;
    while (*end != ',') end++; //~ out-of-bounds
    return (size_t)(end - text);
}

int main(void) {
    return (int)(length("hello, world") + length("hello"));
}
