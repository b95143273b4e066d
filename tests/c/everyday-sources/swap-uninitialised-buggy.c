//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
int main(void) {
    int x = 1, y;
    swap(&x, &y);
    if (x < y) //~ uninitialised
        puts("less");
    return 0;
}
