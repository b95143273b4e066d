//@ engines: explicit, overlay; verdict: unsafe
#include <stdlib.h>

struct flags {
    unsigned three : 3;
};

int main(void) {
    struct flags s = {.three = 7};
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    if (++s.three == 0)
        free(p); //~ double-free
    return 0;
}
