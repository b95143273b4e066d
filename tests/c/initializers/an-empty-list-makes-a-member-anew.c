//@ engines: explicit, overlay; verdict: unknown
// The second list has no value: both elements are zero then.
struct both {
    int a[2];
    int k;
};

int main(void) {
    struct both b = {.a = {1, 2}, .k = 3, .a = {}};
    int *p = b.a[0] == 1 ? &b.k : 0;
    return *p - 3;
}
