//@ engines: explicit; verdict: safe
//@ args: -fstack-protector -fstack-protector-strong -fcf-protection -fno-builtin-malloc
#if defined __SSP__ || __SSP_STRONG__ != 3 || __CET__ != 3
#error "the last option of its kind defines a macro"
#endif
int main(void) {
    return 0;
}
