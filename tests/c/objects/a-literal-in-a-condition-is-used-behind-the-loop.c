//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// A literal in the condition of a loop lives as long as the loop runs.
int main(void) {
    int *p = 0;
    int i = 0;
    while ((p = &(int){i}) && i++ < 2)
        ;
    return *p; //~ use-after-free
}
