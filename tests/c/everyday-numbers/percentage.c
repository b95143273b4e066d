//@ engines: auto; verdict: safe
#include <stdio.h>

static int percent(int part, int whole) {
    if (whole == 0) return 0;
    return part * 100 / whole;
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
