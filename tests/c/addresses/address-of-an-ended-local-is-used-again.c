//@ engines: explicit; verdict: unsafe
static int *kept;

static void keep(void)
{
    int local = 1;
    kept = &local;
}

static int compare(void)
{
    int other = 2;
    return kept == &other;
}

int main(void)
{
    keep();
    if (compare())
        *(volatile int *)0 = 1; //~ null-deref
    return 0;
}
