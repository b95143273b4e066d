//@ engines: explicit, graph, tvl, overlay, auto; verdict: unsafe
//@ with: functions-with-the-same-names.c
int *f(void) __asm__("g");

int main(void)
{
    return *f();    //~ null-deref
}
