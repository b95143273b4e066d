//@ engines: explicit; verdict: clean
#include <stdlib.h>
#include <time.h>

static int *kept;

int main(void) {
    kept = malloc(sizeof *kept);
    if (kept == NULL) return 1;
    if (time(NULL) % 60 == 59) {
        free(kept);
        kept = NULL;
    }
    free(kept);
    return 0;
}
