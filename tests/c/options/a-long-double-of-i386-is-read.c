//@ engines: explicit; verdict: safe
//@ args: -m32
// It has 12 bytes there.
int scanf(const char *, ...);

int main(void)
{
    long double number;
    return scanf("%Lf", &number) == 1;
}
