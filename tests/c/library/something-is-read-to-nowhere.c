//@ engines: explicit, overlay, auto; verdict: unsafe
#include <sys/random.h>

int main(void)
{
    getrandom(0, 0, 0);
    return getrandom(0, 4, 0) != 4; //~ null-deref
}
