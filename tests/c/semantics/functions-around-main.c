//@ differential
#include <stdio.h>
#include <stdlib.h>

static int n;

__attribute__((constructor)) static void plain(void) { printf("plain %d\n", ++n); }
__attribute__((constructor(300))) static void late(void) { printf("late %d\n", ++n); }
__attribute__((constructor(200))) static void early(void) { printf("early %d\n", ++n); }
__attribute__((destructor)) static void end(void) { printf("end %d\n", ++n); }
__attribute__((destructor(300))) static void first_of_the_last(void) { printf("300 %d\n", ++n); }
__attribute__((destructor(200))) static void last(void) { printf("200 %d\n", ++n); }
static void both(void) __attribute__((constructor(400), destructor(400)));
static void both(void) { printf("both %d\n", ++n); }

static void deep(int level)
{
    if (level == 0)
        exit(3);
    deep(level - 1);
}

int main(int argc, char **argv)
{
    printf("main %d\n", ++n);
    if (argc > 0)
        deep(2);
    return 1;
}
