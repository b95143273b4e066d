//@ engines: explicit, graph, tvl; verdict: unsafe
int table[];
int main(void)
{
    table[0] = 1;
    table[1] = 1; //~ out-of-bounds
    return 0;
}
