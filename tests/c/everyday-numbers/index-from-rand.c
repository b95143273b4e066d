//@ engines: auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int seats[40] = {0};
    for (int i = 0; i < 100; i++) {
        int seat = rand() % 40;
        seats[seat] += 1;
    }
    printf("%d\n", seats[0]);
    return 0;
}
