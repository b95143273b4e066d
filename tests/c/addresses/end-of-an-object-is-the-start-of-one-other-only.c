//@ engines: explicit; verdict: safe
int a[4], b[4], c[4];

int main(void)
{
    if (&a[4] == &b[0] && &a[4] == &c[0])
        *(volatile int *)0 = 1;
    return 0;
}
