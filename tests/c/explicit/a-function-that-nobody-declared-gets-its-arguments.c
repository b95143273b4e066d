//@ engines: explicit; verdict: safe
int main(void)
{
    return undeclared(1, 2) + unprototyped(3);
}

int unprototyped();

int undeclared(int a, int b)
{
    return a - b;
}

int unprototyped(int c)
{
    return c;
}
