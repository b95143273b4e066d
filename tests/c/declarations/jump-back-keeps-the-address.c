//@ engines: explicit, overlay; verdict: safe
// The object is the same until its block ends; only its value is gone.
int main(void)
{
    int n = 0, *p = 0;
again:;
    int x;
    if (n == 1) {
        *p = 5;
        return x - 5;
    }
    p = &x;
    n = 1;
    goto again;
}
