//@ engines: explicit, graph, overlay, auto; verdict: unknown
static int here;
static int *p;

__attribute__((constructor)) static void set(void) { p = &here; }

int main(int argc, char **argv)
{
    if (argc > 1)
        return main(argc - 1, argv);
    return *p;
}
