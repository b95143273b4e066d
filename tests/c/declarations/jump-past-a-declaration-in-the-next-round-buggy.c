//@ engines: explicit, graph, tvl, overlay, refine; verdict: unsafe
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        if (i)
            goto there;
        int x;
        x = 3;
    there:
        sum += x; //~ uninitialised
    }
    return sum;
}
