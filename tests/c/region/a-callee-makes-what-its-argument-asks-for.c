//@ engines: region; verdict: safe
//@ args: --property heap
// The caller asks the number again that decided in the callee whether a cell was made.
#include <stdlib.h>

static int make(void **made, int is_wanted) {
    if (is_wanted) {
        *made = malloc(4);
        return *made ? 0 : -1;
    }
    *made = NULL;
    return 0;
}

int main(int argc, char **argv) {
    void *made;
    int is_wanted = argc > 1;
    make(&made, is_wanted);
    if (is_wanted)
        free(made);
    return 0;
}
