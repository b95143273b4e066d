//@ engines: explicit; verdict: unsafe
//@ args: -m32
extern long strtol(const char *, char **, int);
int main(void)
{
    char text[] = "12a", *end;
    int *q = 0;
    if (strtol(text, &end, 10) == 12 && *end == 'a')
        return *q; //~ null-deref
    return 0;
}
