//@ engines: explicit; verdict: safe
//@ args: -m32
typedef __builtin_va_list va_list;
extern int vsnprintf(char *, unsigned, const char *, va_list);
static int print(char *to, unsigned size, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    __builtin_va_end(list);
    return n;
}
int main(void)
{
    char text[32];
    int *q = 0;
    if (print(text, sizeof text, "%d %ld %lld %s", 1, 2L, 3LL, "x") != 7)
        return *q;
    return text[0] == '1' && text[2] == '2' && text[4] == '3' && text[6] == 'x' ? 0 : *q;
}
