//@ engines: explicit; verdict: unsafe
//@ args: -m32
extern void *malloc(unsigned);
extern void free(void *);
int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    unsigned tagged = (unsigned)p | 1;
    int *q = (int *)(tagged & ~1u);
    free(q);
    return *p; //~ use-after-free
}
