//@ engines: explicit, graph, tvl; verdict: unknown
// How many elements there are is said in a file that is not given.
extern int table[];
int main(void)
{
    table[3] = 1;
    return 0;
}
