//@ engines: auto; verdict: unsafe
#include <stdlib.h>

int main(void) {
    char *p[5];
    for (int i = 0; i < 5; i++)
        p[i] = malloc(8);
    for (int i = 0; i < 5; i++)
        free(p[i]);
    free(p[3]); //~ double-free
    return 0;
}
