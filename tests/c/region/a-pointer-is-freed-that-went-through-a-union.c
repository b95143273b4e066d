//@ engines: region; verdict: safe
//@ args: --property heap
#include <stdlib.h>

union word {
    long number;
    char *pointer;
};

int main(void)
{
    union word word;
    word.pointer = malloc(3);
    free(word.pointer);
    return 0;
}
