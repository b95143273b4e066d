//@ engines: explicit; verdict: clean
#include <stdio.h>

int main(void) {
    char name[4];
    int n = 0, c;
    while ((c = getchar()) != EOF && c != '\n') {
        if (n == 3) break;
        name[n++] = (char)c;
    }
    name[n] = '\0';
    return name[0];
}
