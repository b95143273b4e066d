//@ engines: explicit; verdict: clean
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int k = __VERIFIER_nondet_int();
    if (k < 1 || k > 1000)
        return 0;
    int a[k];
    for (int i = 0; i < k; i++)
        a[i] = i;
    return 0;
}
