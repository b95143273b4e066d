//@ engines: explicit, overlay; verdict: unknown
struct both {
    int a[2];
};

int main(void) {
    struct both b = {.a = {1, 2}, .a = { // all of them, not only the first,
                                        3}};
    int *p = b.a[1] == 2 ? &b.a[1] : 0;
    return *p - 2;
}
