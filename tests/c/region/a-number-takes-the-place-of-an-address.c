//@ engines: region; verdict: unknown
//@ engines: explicit, auto; verdict: unsafe
//@ args: --property heap
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *pointer = malloc(4);
    uintptr_t address = (uintptr_t)pointer;
    if (argc > 2) {
        free(pointer);
        address = 48;
    }
    free((char *)address); //~ may invalid-free
    return 0;
}
