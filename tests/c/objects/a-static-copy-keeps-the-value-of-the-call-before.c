//@ engines: explicit, graph, tvl, auto; verdict: safe
static int before;
static int *last;

static int difference(int now)
{
    int value = now;
    int result = last ? value - *last : 0;
    before = value;
    last = &before;
    return result;
}

int main(void)
{
    int first = difference(1);
    int second = difference(5);
    return first + second;
}
