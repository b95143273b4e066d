//@ engines: explicit, graph, overlay, auto; verdict: unknown
// The linker asks `resolve` which function `answer` is: calls do not go to `resolve` itself.
static int value = 1;

static int *right(void)
{
    return &value;
}

static void *resolve(void)
{
    return right;
}

int *answer(void) __attribute__((ifunc("resolve")));

int main(void)
{
    int *p = answer();
    if (p != &value)
        p = 0;
    return *p; //~ may null-deref
}
