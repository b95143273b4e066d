//@ part of: another-file-has-a-variable-of-the-name.c
int g = 3;
