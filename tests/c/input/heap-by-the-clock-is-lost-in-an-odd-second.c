//@ engines: explicit, auto; verdict: unsafe
#include <stdlib.h>
#include <time.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    if (kept == NULL) return 1;
    if (time(NULL) % 60 == 59) {
        kept = NULL; //~ leak
    }
    free(kept);
    return 0;
}
