//@ engines: explicit, auto; verdict: safe
//@ args: --entry parse
int parse(int text, int *result)
{
    if (text < 0)
        return -1;
    *result = text;
    return 0;
}
