//@ engines: explicit; verdict: safe
int main(void)
{
    const char *p = "hello", *q = "la", *r = "hell";
    if (p + 3 == q || p == r || p + 2 == q)
        *(volatile int *)0 = 1;
    return 0;
}
