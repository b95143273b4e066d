//@ engines: region; verdict: unknown
//@ args: --property heap
// Every byte of the record is a one: so is what is read as a pointer and freed.
#include <stdlib.h>
#include <string.h>

struct record {
    void *pointer;
    int number;
};

int main(void)
{
    struct record *record = malloc(sizeof *record);
    if (!record)
        return 0;
    memset(record, 1, sizeof *record);
    free(record->pointer);
    free(record);
    return 0;
}
