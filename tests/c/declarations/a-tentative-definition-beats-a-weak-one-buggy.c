//@ engines: explicit, graph, auto; verdict: unsafe
//@ args: -fcommon
//@ with: a-tentative-definition-beats-a-weak-one-buggy-part.c
// The linker takes `int *shared;` of the other file, which is null.
static int value = 1;
int *shared __attribute__((weak)) = &value;

int main(void)
{
    return *shared;   //~ null-deref
}
