//@ part of: a-definition-beats-a-weak-one.c
static int value = 1;
int *shared = &value;
