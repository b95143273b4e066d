//@ engines: explicit, graph, auto; verdict: unsafe
// What is not known of one object does not touch the rest of the text.
#include <stddef.h>

extern int missing __attribute__((weak));
int *known = &missing;

int main(void)
{
    int *nowhere = NULL;
    *nowhere = 1; //~ null-deref
    return known == nowhere;
}
