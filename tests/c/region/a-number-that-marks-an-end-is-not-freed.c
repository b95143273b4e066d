//@ engines: region; verdict: safe
//@ args: --property heap
// The number becomes an address, but none that is freed.
#include <stdlib.h>

static char *mark = (char *)16;

int main(int argc, char **argv)
{
    char *pointer = malloc(4);
    int is_marked = pointer == mark;
    free(pointer);
    return is_marked;
}
