//@ engines: explicit, graph, auto; verdict: safe
//@ with: a-definition-beats-a-weak-one-part.c
int *shared __attribute__((weak));
static int value = 1;

int main(void)
{
    return *shared + value;
}
