//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
//@ with: result-of-a-void-function-in-another-file-2.c
int run(void);

int main(void)
{
    if (run()) //~ uninitialised
        return 1;
    return 0;
}
