//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"red", "green", "blue", "black"};

int main(void) {
    int which = rand() % 4;
    printf("%s\n", names[which]);
    return 0;
}
