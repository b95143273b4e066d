//@ engines: explicit, auto; verdict: unknown
#include <stdio.h>

int main(void) {
    int number;
    char next;
    if (scanf("%2d%c", &number, &next) == 2 && next == '3') {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
