//@ engines: explicit; verdict: safe
int a[4], b[4];
char c, d;

int main(void)
{
    if (&a[4] == &b[4] || &a[0] == &b[0] || &a[3] == &b[0])
        *(volatile int *)0 = 1;
    if (&a[4] == &b[0] && &b[4] == &a[0])
        *(volatile int *)0 = 1;
    if (&c == &d)
        *(volatile int *)0 = 1;
    return 0;
}
