//@ engines: explicit, graph, tvl; verdict: safe
struct inner {
    int (*run)(int);
};

struct outer {
    int tag;
    struct inner inner;
};

static int half(int n) { return n / 2; }
static int third(int n) { return n / 3; }

static struct outer choose(struct outer given, int which)
{
    struct outer result = given;
    if (which)
        result.inner = (struct inner){third};
    return result;
}

int main(void)
{
    struct outer first = {0, {half}};
    struct outer second = choose(first, 1);
    first = choose(second, 0);
    return first.inner.run(9) != 3;
}
