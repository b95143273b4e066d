//@ engines: explicit, graph, overlay, auto; verdict: unknown
static int here;
static int *p;

static void set(void) { p = &here; }
__attribute__((used, section(".init_array"))) static void (*const at_start)(void) = set;

int main(void)
{
    return *p;
}
