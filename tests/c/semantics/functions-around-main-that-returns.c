//@ differential
#include <stdio.h>

static int *p;
static int here = 5;

static void set(void) __attribute__((constructor));
static void set(void) { p = &here; }
static void show(void) __attribute__((destructor));
static void show(void) { printf("%d\n", *p); }

int main(void)
{
    *p += 2;
    printf("main %d\n", *p);
    return *p;
}
