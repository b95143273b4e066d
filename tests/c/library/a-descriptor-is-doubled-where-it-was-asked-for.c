//@ engines: explicit; verdict: safe
#include <assert.h>
#include <unistd.h>

int main(void)
{
    int doubled = dup2(0, 5);
    assert(doubled <= 5);
    return 0;
}
