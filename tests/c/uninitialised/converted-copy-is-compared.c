//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
// The copy is made wider on its way to the comparison.
struct pair { struct pair *next; int value; };

int main(void)
{
    struct pair pair;
    long copy = pair.value;
    if (copy != pair.value) //~ uninitialised
        return 1;
    return 0;
}
