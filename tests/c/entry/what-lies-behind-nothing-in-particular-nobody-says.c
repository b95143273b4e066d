//@ engines: explicit, auto; verdict: unknown
//@ args: --entry compare
int compare(const void *left, const void *right)
{
    return *(const int *)left - *(const int *)right;
}
