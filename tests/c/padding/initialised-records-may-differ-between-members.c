//@ engines: explicit; verdict: unsafe
// Every member is equal; what lies between them C leaves open.
#include <assert.h>
#include <string.h>

struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair p = {1, 2}, q = {1, 2};
    int differ = memcmp(&p, &q, sizeof p);
    assert(!differ); //~ assert
    return 0;
}
