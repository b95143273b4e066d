//@ engines: explicit, auto; verdict: safe
// gcc evaluates the size of an array parameter for what it changes alone.
static int first(int *count, int a[*count])
{
    return a[0];
}

int main(void)
{
    int a[1] = {0};
    return first(0, a);
}
