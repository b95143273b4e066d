//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
static void run(void)
{
}

struct operations {
    int (*run)(void);
};

int main(void)
{
    struct operations operations = { (int (*)(void))run };
    if (operations.run()) //~ uninitialised
        return 1;
    return 0;
}
