//@ engines: overlay; verdict: unsafe
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[16];
    int n;
    char tail[8];
};

int main(void) {
    struct record r;
    if (!fgets(r.name, sizeof r.name, stdin)) return 0;
    strcpy(r.tail, r.name); //~ out-of-bounds
    r.n = 1;
    printf("%s%s%d", r.name, r.tail, r.n);
    return 0;
}
