//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
int f(int **rows, int n) {
    return n == 2 ? *rows[1] : 0; //~ may null-deref
}
