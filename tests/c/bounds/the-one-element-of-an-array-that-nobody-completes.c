//@ engines: explicit, graph, tvl; verdict: safe
int table[];
int main(void)
{
    table[0] = 1;
    return table[0] == 1;
}
