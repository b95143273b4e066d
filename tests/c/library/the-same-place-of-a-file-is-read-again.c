//@ engines: explicit; verdict: unknown
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char first, second;
    if (pread(0, &first, 1, 0) != 1 || pread(0, &second, 1, 0) != 1)
        return 1;
    if (first != second) {
        char *lost = malloc(1);
        free(lost);
        free(lost); //~ may double-free
    }
    return 0;
}
