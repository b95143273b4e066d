//@ engines: explicit, graph, tvl, overlay, auto; verdict: safe
int *z;
extern int *y __asm__("z");

int main(void)
{
    static int q;
    z = 0;
    y = &q;
    return *z;
}
