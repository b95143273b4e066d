//@ engines: graph, tvl; verdict: unknown
//@ engines: explicit; verdict: clean
// What an initialiser leaves between members is not followed by graph and tvl: no proof rests on it.
struct pair {
    char c;
    int v;
};

int main(void)
{
    struct pair p = {0};
    return ((char *)&p)[1] == 7;
}
