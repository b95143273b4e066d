//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The local of the last call is not the local of this one.
static int *before;

static int difference(int now)
{
    int value = now;
    int result = before ? value - *before : 0; //~ use-after-free
    before = &value;
    return result;
}

int main(void)
{
    int first = difference(1);
    int second = difference(5);
    return first + second;
}
