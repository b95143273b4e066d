//@ engines: explicit; verdict: unsafe
//@ args: --property use-after-free
static int *leave(void)
{
    int local = 1;
    int *p = &local;
    return p;
}

int main(void)
{
    int *p = leave();
    return *p; //~ use-after-free
}
