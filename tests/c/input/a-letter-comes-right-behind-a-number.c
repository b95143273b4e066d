//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    int number;
    char next;
    if (scanf("%d%c", &number, &next) == 2 && next == 'k') {
        int *p = NULL;
        *p = 1; //~ null-deref
    }
    return 0;
}
