//@ engines: region; verdict: unknown
//@ args: --property heap
// A function that copies bytes takes a number to where a pointer is read.
#include <stdlib.h>
#include <string.h>

static void take(void *to, const void *from)
{
    memcpy(to, from, sizeof(void *));
}

int main(void)
{
    long number = 24;
    void *pointer;
    take(&pointer, &number);
    free(pointer);
    return 0;
}
