//@ engines: explicit, auto; verdict: safe
#include <stdio.h>

int main(void) {
    int number;
    char next;
    if (scanf("%d%c", &number, &next) == 2 && next == '3') {
        int *p = NULL;
        *p = 1;
    }
    return 0;
}
