//@ engines: explicit, overlay; verdict: safe
// C11 6.7.8 p3: the length of a typedef is evaluated each time the declaration is reached, and not where it is used.
int main(void)
{
    int n = 2, *null = 0;
    for (int i = 0; i < 3; i++) {
        typedef int row[n];
        typedef row *link;
        n += 2;
        row x;
        __typeof__(x) y;
        link p = &x;
        x[n - 3] = i;
        y[n - 3] = (*p)[n - 3];
        if (sizeof(row) != sizeof(int) * (n - 2) || sizeof y != sizeof *p || y[n - 3] != i)
            *null = 1;
    }
    return 0;
}
