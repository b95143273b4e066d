//@ engines: explicit, graph, tvl, overlay; verdict: unknown
//@ with: another-file-takes-a-wider-number-part.c
// C11 6.2.7p2: the caller leaves half of what the function looks at to chance.
void f(int);

int main(void) {
    f(-5);
    return 0;
}
