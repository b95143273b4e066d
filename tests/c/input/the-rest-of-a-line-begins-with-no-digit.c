//@ engines: explicit; verdict: unknown
#include <stdio.h>

int main(void) {
    int number;
    char rest[16];
    if (scanf("%d", &number) == 1 && fgets(rest, sizeof rest, stdin) != NULL && rest[0] == '7') {
        int *p = NULL;
        *p = 1; //~ may null-deref
    }
    return 0;
}
