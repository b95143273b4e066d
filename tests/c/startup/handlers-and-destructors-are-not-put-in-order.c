//@ engines: explicit, auto; verdict: unknown
#include <stdlib.h>

static int *p;

static void clear(void) __attribute__((destructor));
static void clear(void) { free(p); }
static void handler(void) { if (p) *p = 1; }

int main(void)
{
    atexit(handler);
    p = malloc(sizeof *p);
    return 0;
}
