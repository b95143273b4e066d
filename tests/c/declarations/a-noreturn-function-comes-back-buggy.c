//@ engines: explicit, graph, tvl, overlay; verdict: unsafe
// C11 6.7.4p8: a function that is declared never to come back is followed, not believed.
_Noreturn static void die(int c) {
    if (c)
        for (;;) {
        }
} //~ assert

int main(void) {
    int *p = 0;
    die(0);
    return *p;
}
