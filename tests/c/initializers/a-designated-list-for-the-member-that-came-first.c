//@ engines: explicit, overlay; verdict: unknown
struct point {
    int x, y;
};
struct segment {
    struct point a, b;
};

int main(void) {
    struct segment s = {{.x = 1}, .b = {3, 4}, .a = {.y = 2}};
    int *p = s.a.x == 1 ? &s.a.y : 0;
    return *p - 2;
}
