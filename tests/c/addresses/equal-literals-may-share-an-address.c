//@ engines: explicit; verdict: unsafe
int main(void)
{
    const char *p = "abc", *q = "abc";
    if (p == q)
        *(volatile int *)0 = 1; //~ null-deref
    return 0;
}
