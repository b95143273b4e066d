//@ engines: explicit; verdict: safe
//@ args: -m32
extern long strtol(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
int main(void)
{
    char text[] = "12a", large[] = "99999999999", *end[2] = { text, text };
    int *q = 0;
    if (strtol(text, end, 10) != 12 || *end[0] != 'a' || end[1] != text)
        return *q;
    if (strtol(large, 0, 10) != 2147483647L || strtoul(large, 0, 10) != 4294967295UL)
        return *q;
    return 0;
}
