//@ engines: explicit, auto; verdict: unknown
//@ args: --entry f
int f(const int *numbers, int n) {
    return n > 0 ? numbers[n - 1] : 0; //~ may out-of-bounds
}
