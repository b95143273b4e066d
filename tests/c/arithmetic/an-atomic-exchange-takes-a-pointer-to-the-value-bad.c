//@ engines: explicit, graph, auto; verdict: unsafe
#include <stddef.h>

int main(void)
{
    int x = 1;
    int *object = &x, *desired = NULL, *old = NULL;
    __atomic_exchange(&object, &desired, &old, __ATOMIC_SEQ_CST);
    return *old + *object;   //~ null-deref
}
