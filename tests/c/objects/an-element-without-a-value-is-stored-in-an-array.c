//@ engines: explicit, auto; verdict: unsafe
//@ engines: graph, tvl; verdict: unknown
// Arrays are not followed, but it is not forgotten that they may hold nothing.
int main(void)
{
    int number;
    int row[2];
    row[0] = 1;
    row[1] = number;
    if (row[1]) //~ may uninitialised
        return 1;
    return 0;
}
