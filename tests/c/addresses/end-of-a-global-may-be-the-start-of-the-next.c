//@ engines: explicit; verdict: unsafe
int a[4], b[4];

int main(void)
{
    int *p = &a[4];
    if (p == &b[0])
        *(volatile int *)0 = 1; //~ null-deref
    return 0;
}
