//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
struct record { int id; int amount; };
int main(void) {
    struct record r;
    FILE *f = fopen("data.bin", "rb");
    if (!f)
        return 1;
    if (fread(&r, sizeof r, 1, f) != 1) {
        fclose(f);
        return 1;
    }
    fclose(f);
    if (r.amount > 10)
        puts("much");
    return 0;
}
