//@ engines: explicit; verdict: unknown
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    free(p);
    uid_t before = geteuid();
    if (seteuid(1) == 0 && geteuid() != before)
        free(p); //~ may double-free
    return 0;
}
