//@ engines: explicit, graph, auto; verdict: safe
// No start-up code calls what stands in a section of another name.
static int value = 1;
static int *data = &value;

static void set(void)
{
    data = 0;
}

static void unused(void)
{
    static void (*const entry)(void) __attribute__((section("handlers"), used)) = set;
    (void)entry;
}

int main(void)
{
    (void)unused;
    return *data;
}
