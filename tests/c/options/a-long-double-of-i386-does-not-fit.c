//@ engines: explicit; verdict: unsafe
//@ args: -m32
int scanf(const char *, ...);

int main(void)
{
    double number;
    if (scanf("%Lf", (long double *)&number) != 1) //~ out-of-bounds
        return 0;
    return number > 0;
}
