//@ engines: region; verdict: safe
//@ args: --property heap
// Numbers lie beside pointers, in records that are copied and handed around, in arrays and in unions; but not in their bytes.
#include <stdlib.h>
#include <string.h>

struct record {
    int number;
    void *pointer;
};

union value {
    long number;
    void *pointer;
};

static struct record make(int number)
{
    struct record record;
    record.number = number;
    record.pointer = malloc(4);
    return record;
}

static void release(void *pointer)
{
    free(pointer);
}

int main(void)
{
    struct record one = make(3), two;
    two = one;
    two.number = 5;
    release(two.pointer);
    union value whole, pointing;
    whole.number = 7;
    pointing.pointer = malloc(sizeof whole);
    if (pointing.pointer)
        memcpy(pointing.pointer, &whole, sizeof whole);
    release(pointing.pointer);
    return 0;
}
