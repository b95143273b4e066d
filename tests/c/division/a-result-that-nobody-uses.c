//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
int main(int argc, char **argv) {
    int zero = argc - argc;
    argc / zero; //~ division-by-zero
    (void)argv;
    return 0;
}
