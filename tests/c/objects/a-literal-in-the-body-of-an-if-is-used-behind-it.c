//@ engines: explicit, graph, tvl, auto; verdict: unsafe
// The body of an `if` is a block, braces or not: the literal ends with it.
int main(void) {
    int *p = 0;
    if (1) p = &(int){5};
    return *p; //~ use-after-free
}
