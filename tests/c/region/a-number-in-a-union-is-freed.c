//@ engines: region; verdict: unknown
//@ args: --property heap
// A number is written, a pointer is read from its bytes and freed. The callee that writes it knows nothing of pointers.
#include <stdlib.h>

union value {
    long number;
    void *pointer;
};

static void set(long *number)
{
    *number = 16;
}

int main(int argc, char **argv)
{
    union value value;
    value.pointer = NULL;
    if (argc > 1)
        value.pointer = malloc(4);
    else
        set(&value.number);
    free(value.pointer);
    return 0;
}
