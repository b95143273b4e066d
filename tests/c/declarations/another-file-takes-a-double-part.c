//@ part of: another-file-takes-a-double.c
void f(double x) {
    (void)x;
}
