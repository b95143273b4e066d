//@ engines: explicit, overlay; verdict: unknown
// No value of the second list lies where one of the first one does, but `x` is zero behind it.
struct inner {
    int n;
};
struct outer {
    int x;
    struct inner in;
};
struct whole {
    struct outer k;
};

int main(void) {
    struct whole w = {.k = {.x = 5}, .k = {.in = {2}}};
    int *p = w.k.x == 5 ? &w.k.x : 0;
    return *p - 5;
}
