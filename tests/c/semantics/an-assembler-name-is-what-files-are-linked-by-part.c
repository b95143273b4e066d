//@ part of: an-assembler-name-is-what-files-are-linked-by-buggy.c
static int value;

int *something(void) {
    return &value;
}

int *nothing(void) {
    return 0;
}
