//@ part of: a-weak-alias-gives-way-to-a-definition.c
#include <stdlib.h>

void release(int *p) { free(p); }
