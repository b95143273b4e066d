//@ engines: explicit, overlay; verdict: unknown
static int calls;

static int next(void) { return ++calls; }

int main(void) {
    int a[1] = {[0] = next(), [0] = 5};
    int *p = calls == 1 ? &a[0] : 0;
    return *p - 5;
}
