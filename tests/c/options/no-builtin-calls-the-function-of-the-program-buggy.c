//@ engines: explicit, overlay; verdict: unsafe
//@ args: -fno-builtin
unsigned long strlen(const char *s) {
    (void)s;
    return 10;
}

int main(void) {
    char b[4] = {0};
    b[strlen("abc")] = 1; //~ out-of-bounds
    return 0;
}
