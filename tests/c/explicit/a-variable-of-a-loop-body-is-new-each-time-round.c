//@ engines: explicit; verdict: unsafe
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int seen;
        if (i == 0)
            seen = 1;
        if (seen) //~ uninitialised
            sum++;
    }
    return sum;
}
