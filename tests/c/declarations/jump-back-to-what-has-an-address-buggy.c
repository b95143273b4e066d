//@ engines: explicit, overlay; verdict: unsafe
int main(void)
{
    int n = 0, *p = 0;
again:;
    int x;
    if (n == 1)
        return *p; //~ uninitialised
    p = &x;
    *p = 5;
    n = 1;
    goto again;
}
