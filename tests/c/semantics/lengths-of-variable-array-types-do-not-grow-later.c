//@ engines: explicit, overlay; verdict: unsafe
int main(void)
{
    int n = 3;
    typedef int row[n];
    n = 5;
    row x;
    __typeof__(x) y;
    y[2] = 0;
    y[3] = 1; //~ out-of-bounds
    return 0;
}
