//@ engines: explicit; verdict: unsafe
#include <time.h>

int main(void)
{
    int value = 0;
    int *p = &value;
    if (time(NULL) % 2 == 1)
        p = NULL;
    return *p; //~ null-deref
}
