//@ engines: explicit, auto; verdict: unsafe
#include <stdio.h>

int main(void) {
    char name[4];
    int n = 0, c;
    while ((c = getchar()) != EOF && c != '\n') {
        name[n++] = (char)c; //~ out-of-bounds
    }
    name[n] = '\0'; //~ out-of-bounds
    return name[0];
}
