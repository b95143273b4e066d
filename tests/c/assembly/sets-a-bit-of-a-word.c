//@ engines: explicit, overlay; verdict: safe
int main(void)
{
    int bits = 0;
    long n = 3;
    __asm__ volatile("btsl %1, %0" : "+m"(bits) : "r"((int)n) : "memory");
    return 0;
}
