//@ engines: explicit, overlay; verdict: unknown
static struct named {
    char s[8];
    int k;
} n = {.s = "abcdef", .k = 1, .s = "x"};

int main(void) {
    int *p = n.s[3] == 'd' ? &n.k : 0;
    return *p - 1; //~ may null-deref
}
