//@ engines: region; verdict: safe
//@ args: --property heap
// The handler of the attribute runs on every way out of the block.
#include <stdlib.h>

static void free_text(char **text) {
    free(*text);
}

int main(int argc, char **argv) {
    __attribute__((cleanup(free_text))) char *text = malloc(4);
    (void)argv;
    if (!text)
        return 1;
    if (argc > 2)
        return 2;
    text[0] = 0;
    return 0;
}
