//@ differential
#include <stdio.h>
#include <stdlib.h>

static int n;

static void first(void) { printf("first %d\n", ++n); }
static void second(void) { printf("second %d\n", ++n); }
static void third(void) { printf("third %d\n", ++n); }

static void deep(int level)
{
    if (level == 0) {
        printf("exit\n");
        exit(7);
    }
    deep(level - 1);
    printf("never\n");
}

int main(void)
{
    atexit(first);
    atexit(second);
    atexit(third);
    atexit(second);
    deep(3);
    return 0;
}
