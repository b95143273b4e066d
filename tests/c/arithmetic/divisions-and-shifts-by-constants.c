//@ engines: explicit, graph; verdict: safe
int main(void)
{
    int a = 17;
    return a / 3 + a % 5 + (a << 2) + (a >> 1);
}
