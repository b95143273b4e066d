//@ engines: region; verdict: unsafe
//@ args: --property heap
// One way frees what the handler of the attribute frees again.
#include <stdlib.h>

static void free_text(char **text) {
    free(*text); //~ double-free
}

int main(int argc, char **argv) {
    __attribute__((cleanup(free_text))) char *text = malloc(4);
    (void)argv;
    if (!text)
        return 1;
    if (argc > 2) {
        free(text);
        return 2;
    }
    text[0] = 0;
    return 0;
}
