//@ engines: explicit, overlay; verdict: unsafe
int main(void)
{
    int n = 0;
again:;
    int a[2];
    if (n == 1)
        return a[0]; //~ uninitialised
    a[0] = 3;
    n = 1;
    goto again;
}
