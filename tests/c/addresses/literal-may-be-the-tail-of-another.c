//@ engines: explicit; verdict: unsafe
int main(void)
{
    const char *p = "hello", *q = "lo";
    if (p + 3 == q)
        *(volatile int *)0 = 1; //~ null-deref
    return 0;
}
