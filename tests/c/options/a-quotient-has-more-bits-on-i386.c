//@ engines: explicit, graph, overlay; verdict: unknown
//@ args: -m32
// The x87 compares the quotient with what is left of it in a double.
int main(void) {
    volatile double one = 1, three = 3;
    double third = one / three;
    if (third != one / three) {
        int *p = 0;
        *p = 1; //~ may null-deref
    }
    return 0;
}
