//@ engines: explicit, graph, auto; verdict: safe
#include <stddef.h>

int main(void)
{
    int x = 1, y = 2;
    int *object = &x, *desired = &y, *old = NULL;
    __atomic_exchange(&object, &desired, &old, __ATOMIC_SEQ_CST);
    return *old + *object;
}
