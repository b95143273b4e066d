//@ engines: explicit, auto; verdict: unsafe
//@ args: --entry f
int f(const int *numbers, int n) {
    static int seen[4];
    if (n < 2)
        return 0;
    seen[numbers[1] & 7] = 1; //~ out-of-bounds
    return seen[0];
}
