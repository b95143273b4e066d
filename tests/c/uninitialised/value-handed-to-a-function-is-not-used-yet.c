//@ engines: explicit; verdict: safe
static int first(int x, int y)
{
    (void)y;
    return x;
}

int main(void)
{
    int unset;
    return first(1, unset);
}
