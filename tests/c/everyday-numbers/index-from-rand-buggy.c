//@ engines: auto; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int seats[40] = {0};
    for (int i = 0; i < 100; i++) {
        int seat = rand() % 41;
        seats[seat] += 1; //~ out-of-bounds
    }
    printf("%d\n", seats[0]);
    return 0;
}
