//@ engines: explicit, overlay; verdict: unsafe
int main(void)
{
    int bits = 0;
    long n = 40;
    __asm__ volatile("btsl %1, %0" : "+m"(bits) : "r"((int)n) : "memory"); //~ out-of-bounds
    return 0;
}
