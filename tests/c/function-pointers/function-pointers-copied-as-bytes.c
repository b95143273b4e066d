//@ engines: explicit; verdict: safe
#include <stdlib.h>
#include <stddef.h>
#include <string.h>

struct handlers {
    char name[8];
    int (*first)(int);
    int (*second)(int);
};

static int add(int n) { return n + 1; }
static int double_it(int n) { return n * 2; }

int main(void)
{
    struct handlers table = {"table", add, double_it};
    unsigned char bytes[sizeof table];
    struct handlers *heap = malloc(sizeof *heap);
    int (*moved)(int);
    if (!heap)
        return 1;
    memcpy(bytes, &table, sizeof table);
    memcpy(heap, bytes, sizeof *heap);
    memmove(&moved, (char *)heap + offsetof(struct handlers, second), sizeof moved);
    int result = heap->first(1) + moved(2);
    free(heap);
    return result != 6;
}
