//@ part of: another-file-has-a-function-of-the-name.c
void f(void) {
}
