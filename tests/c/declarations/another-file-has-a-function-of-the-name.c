//@ engines: explicit, graph, tvl, overlay; verdict: unknown
//@ with: another-file-has-a-function-of-the-name-part.c
extern int f;

int main(void) {
    f = 1;
    return 0;
}
