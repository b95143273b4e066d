//@ engines: explicit, graph, tvl, overlay; verdict: unknown
//@ with: another-file-has-a-variable-of-the-name-part.c
void g(void);

int main(void) {
    g();
    return 0;
}
