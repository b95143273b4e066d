//@ engines: explicit, auto; verdict: unsafe
#include <err.h>

int main(void)
{
    char letters[3] = {'a', 'b', 'c'};
    err(1, "%s", letters); //~ out-of-bounds
}
