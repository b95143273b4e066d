//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"red", "green", "blue", "black"};

int main(void) {
    int which = rand() % 5;
    printf("%s\n", names[which]); //~ out-of-bounds
    return 0;
}
