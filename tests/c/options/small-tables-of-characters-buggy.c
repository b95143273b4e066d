//@ engines: explicit; verdict: unsafe
//@ args: -m32
extern const unsigned short **__ctype_b_loc(void);
extern int getchar(void);
int main(void)
{
    int c = getchar(), *q = 0;
    if (c == -1)
        return 0;
    if (((*__ctype_b_loc())[c] & 1024) && c == 'a')
        return *q; //~ null-deref
    return 0;
}
