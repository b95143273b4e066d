//@ engines: explicit, graph, tvl, overlay, refine; verdict: unknown
// movl $0, (%rdi)
int x = 1;
int main(void)
{
    int *q = 0;
    __asm__(".long 0x000007c7\n\t.byte 0x00, 0x00" : : "D"(&x));
    return x == 0 ? *q : 0;
}
