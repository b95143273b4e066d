//@ part of: main.c
#include <stdio.h>

int log_count;

static void list_add(int a, int b)
{
    printf("%d+%d ", a, b);
}

int log_add(int a, int b)
{
    log_count++;
    list_add(a, b);
    return a + b;
}
