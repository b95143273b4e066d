//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
int main(void) {
    int x = 1, y = 2;
    swap(&x, &y);
    if (x < y)
        puts("less");
    return 0;
}
