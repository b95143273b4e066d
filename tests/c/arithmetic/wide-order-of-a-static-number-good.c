//@ engines: explicit, overlay, auto; verdict: safe
// The greatest number of 16 bytes is above the others.
typedef unsigned __int128 wide;

static wide most = ~(wide)0;
static int value;

int main(void)
{
    int *p = &value;
    if (most < 5)
        p = 0;
    return *p;
}
