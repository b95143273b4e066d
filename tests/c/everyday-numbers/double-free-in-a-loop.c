//@ engines: auto; verdict: safe
#include <stdlib.h>

int main(void) {
    char *p[5];
    for (int i = 0; i < 5; i++)
        p[i] = malloc(8);
    for (int i = 0; i < 5; i++)
        free(p[i]);
    return 0;
}
