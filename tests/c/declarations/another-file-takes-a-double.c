//@ engines: explicit, graph, tvl, overlay; verdict: unknown
//@ with: another-file-takes-a-double-part.c
void f(float);

int main(void) {
    f(1.0f);
    return 0;
}
