//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <string.h>

struct source {
    int number;
    int *pointer;
};
struct target {
    long before;
    int *pointer;
};

int main(void)
{
    int value = 3;
    struct source source = { 1, &value };
    struct target target = { 0, 0 };
    memcpy(&target.pointer, &source.pointer, sizeof target.pointer);
    return *target.pointer != 3;
}
