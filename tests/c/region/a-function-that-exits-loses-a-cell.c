//@ engines: region; verdict: unknown
//@ args: --property heap
// Nobody comes back to notice it: the callers are asked who still holds the cell. (A run shows it in the function itself, so it is possible here.)
#include <stdlib.h>

static int *kept;

static void stop(void) {
    kept = NULL;
    exit(0);
}

int main(void) {
    kept = malloc(sizeof *kept);
    stop(); //~ leak
    free(kept);
    return 0;
}
