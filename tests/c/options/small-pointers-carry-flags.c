//@ engines: explicit; verdict: safe
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
    int r = *q + (tagged & 1);
    q = (int *)(tagged - 1);
    free(q);
    return r - 2;
}
