//@ engines: explicit, overlay; verdict: unknown
#include <stdio.h>

int main(void) {
    char block[4];
    if (fread(block, 1, sizeof block, stdin) < sizeof block && getchar() != EOF) {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
