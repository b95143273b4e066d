//@ engines: auto; verdict: unsafe
#include <stdio.h>

static int percent(int part, int whole) {
    return part * 100 / whole; //~ division-by-zero
}

int main(void) {
    int yes = 0, all = 0, c;
    while ((c = getchar()) != EOF && all < 1000) {
        if (c == 'y') yes++;
        if (c != '\n') all++;
    }
    printf("%d%%\n", percent(yes, all));
    return 0;
}
