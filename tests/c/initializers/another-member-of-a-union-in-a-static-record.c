//@ engines: explicit, overlay; verdict: unknown
struct holder {
    int f;
    union {
        long z;
        char c;
    };
};

static struct holder h = {.f = 36, .z = 257, .c = 3};

int main(void) {
    int *p = h.z == 259 ? &h.f : 0;
    return *p - 36; //~ may null-deref
}
