//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// The other three bytes hold nothing.
int main(void)
{
    int number;
    *(char *)&number = 1;
    if (number) //~ may uninitialised
        return 1;
    return 0;
}
