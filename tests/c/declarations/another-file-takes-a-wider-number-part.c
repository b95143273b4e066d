//@ part of: another-file-takes-a-wider-number.c
void f(long x) {
    if (x == -5)
        return;
    int *p = 0;
    (void)p;
}
