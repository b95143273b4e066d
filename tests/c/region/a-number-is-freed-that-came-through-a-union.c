//@ engines: region; verdict: unknown
//@ engines: explicit, overlay, auto; verdict: unsafe
//@ args: --property heap
#include <stdlib.h>

union word {
    long number;
    char *pointer;
};

int main(void)
{
    union word word;
    word.number = 16;
    free(word.pointer); //~ may invalid-free
    return 0;
}
