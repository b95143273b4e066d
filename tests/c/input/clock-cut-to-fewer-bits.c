//@ engines: explicit; verdict: unsafe
#include <time.h>

int main(void)
{
    unsigned long now = (unsigned long)clock();
    if (now < 0x7ffffffffffffff0 || now > 0x800000000000000f)
        return 0;
    if ((unsigned char)now == 0xfe)
        *(volatile int *)NULL = 2; //~ null-deref
    long cut = (long)now;
    if (cut > 5 && cut < 1000)
        *(volatile int *)NULL = 1; //~ may null-deref
    return 0;
}
