//@ engines: explicit, graph, tvl, overlay, region, auto; verdict: unknown
// The start-up code calls what stands in `.init_array`, also where the object is declared within a function.
static int value = 1;
static int *data = &value;

static void set(void)
{
    data = 0;
}

static void unused(void)
{
    static void (*const entry)(void) __attribute__((section(".init_array"), used)) = set;
    (void)entry;
}

int main(void)
{
    (void)unused;
    return *data;
}
