//@ engines: explicit, graph, overlay, auto; verdict: unsafe
extern int *get(void) __asm__("really_get");
extern int *really(void) __asm__("get");
static int x;

int *get(void) { return 0; }
int *really(void) { return &x; }

int main(void)
{
    int first = *really();
    return first + *get();      //~ null-deref
}
