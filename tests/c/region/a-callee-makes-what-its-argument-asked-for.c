//@ engines: region; verdict: unsafe
//@ args: --property heap
// The number that decided in the callee whether a cell was made changes before it is asked again.
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
    is_wanted = argc > 2;
    if (is_wanted)
        free(made);
    return 0; //~ leak
}
