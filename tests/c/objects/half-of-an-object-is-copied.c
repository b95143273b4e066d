//@ engines: explicit, graph, tvl, auto; verdict: safe
#include <string.h>

struct pair {
    int *first, *second;
};

int main(void)
{
    int value = 5;
    int *only = &value;
    struct pair pair = { 0, 0 };
    memcpy(&pair, &only, sizeof only);
    if (pair.second)
        *(int *)0 = 1;
    return *pair.first != 5;
}
