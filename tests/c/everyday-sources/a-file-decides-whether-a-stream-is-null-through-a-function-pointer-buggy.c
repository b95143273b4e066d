//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int handle(FILE *item, int n) {
    int c;
    c = fgetc(item); //~ null-deref
    printf("%d %d\n", c, n);
    fclose(item);
    return 0;
}

static int nothing(FILE *item, int n) {
    (void)item;
    (void)n;
    return 0;
}

typedef int (*action_fn)(FILE *, int);
static action_fn actions[] = { nothing, handle };

int main(void) {
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    return actions[1](fopen("log.txt", "r"), n);
}
