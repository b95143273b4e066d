//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *f = fopen(argc > 1 ? argv[1] : "values", "r");
    if (f == NULL)
        return 1;
    int v, n = 0, sum = 0;
    while (fscanf(f, "%d", &v) == 1) {
        sum += v;
        n++;
    }
    fclose(f);
    if (n > 0)
        printf("%d\n", sum / n);
    return 0;
}
