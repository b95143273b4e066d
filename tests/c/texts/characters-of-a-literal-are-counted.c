//@ engines: overlay; verdict: safe
#include <stddef.h>

static size_t length(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}

int main(void) {
    return (int)(length("hello") + length("hello, world"));
}
