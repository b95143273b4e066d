//@ engines: region; verdict: safe
//@ args: --property heap
// The caller still holds the cell in a variable when the run ends.
#include <stdlib.h>

static int *kept;

static void stop(void) {
    kept = NULL;
    exit(0);
}

int main(void) {
    int *own = malloc(sizeof *own);
    if (!own)
        return 1;
    kept = own;
    *own = 1;
    if (*own)
        stop();
    free(own);
    return 0;
}
