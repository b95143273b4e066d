//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdio.h>
struct record { int id; int amount; };
int main(void) {
    struct record r;
    FILE *f = fopen("data.bin", "rb");
    if (!f)
        return 1;
    fread(&r, sizeof r, 1, f);
    fclose(f);
    if (r.amount > 10) //~ uninitialised
        puts("much");
    return 0;
}
