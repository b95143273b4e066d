//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>

int main(void) {
    char *item;
    int status = 1;
    srand((unsigned)time(NULL));
    int n = rand() % 16;
    item = malloc(10);
    if (item == NULL)
        goto out;
    item[0] = 'x';
    if (n > 5)
        item[1] = 'y';
    free(item);
    status = 0;
    goto out;
    out:
    return status;
}
