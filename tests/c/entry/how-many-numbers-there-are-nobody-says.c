//@ engines: explicit, auto; verdict: unknown
//@ args: --entry sum
int sum(const int *numbers, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += numbers[i]; //~ may out-of-bounds
    return total;
}
