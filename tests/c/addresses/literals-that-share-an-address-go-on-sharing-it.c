//@ engines: explicit; verdict: safe
int main(void)
{
    const char *p = "abc", *q = "abc";
    if (p == q && p + 1 != q + 1)
        *(volatile int *)0 = 1;
    if (p != q && p == q)
        *(volatile int *)0 = 1;
    return 0;
}
