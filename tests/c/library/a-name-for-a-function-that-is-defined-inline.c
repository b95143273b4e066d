//@ engines: explicit, overlay, graph, tvl, region; verdict: unknown
//@ args: -O2
/* The inline function calls the one of another file by another name, not itself. */
extern int outer(int *number);
extern int outer_called_so(int *number) __asm__("outer");

extern inline __attribute__((gnu_inline, always_inline)) int outer(int *number)
{
    return outer_called_so(number);
}

int main(void)
{
    int number = 1;
    return outer(&number);
}
