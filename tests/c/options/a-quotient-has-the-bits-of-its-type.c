//@ engines: explicit; verdict: safe
volatile double one = 1, three = 3;

int main(void) {
    double third = one / three;
    if (third != one / three) {
        int *p = 0;
        *p = 1;
    }
    return 0;
}
