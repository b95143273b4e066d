//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

// Both are one text if the library keeps it once.
int main(void) {
    const char *first = getenv("NAME"), *second = getenv("NAME");
    int *number = malloc(sizeof *number);
    if (!first || !second || !number) {
        free(number);
        return 0;
    }
    *number = 1;
    if (first == second) free(number);
    printf("%d\n", *number); //~ use-after-free
    if (first != second) free(number);
    return 0; //~ may leak
}
