//@ engines: explicit; verdict: unsafe
//@ args: -m32
typedef __builtin_va_list va_list;
extern int vsprintf(char *, const char *, va_list);
static int print(char *to, const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    int n = vsprintf(to, format, list); //~ out-of-bounds
    __builtin_va_end(list);
    return n;
}
int main(void)
{
    char text[6];
    return print(text, "%d %ld %lld", 1, 22L, 3LL);
}
