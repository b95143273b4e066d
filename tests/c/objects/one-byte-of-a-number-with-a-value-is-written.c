//@ engines: explicit, graph, tvl, auto; verdict: safe
int main(void)
{
    int number = 0;
    *(char *)&number = 1;
    if (number == 1)
        return 1;
    return 0;
}
