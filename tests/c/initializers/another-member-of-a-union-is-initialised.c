//@ engines: explicit, overlay; verdict: unknown
// Another member makes the whole union anew: the bytes behind the number are zero.
union number {
    int i;
    char c[8];
};

int main(void) {
    union number u = {.c = "abcdefg", .i = 1};
    int *p = u.c[5] == 'f' ? &u.i : 0;
    return *p - 1;
}
