//@ part of: a-function-is-called-by-its-symbol.c
static int x;
int *f(void) { return &x; }
int *g(void) { return 0; }
