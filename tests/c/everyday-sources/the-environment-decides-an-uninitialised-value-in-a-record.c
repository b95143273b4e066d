//@ engines: auto; verdict: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct box {
    int id;
    int *value;
};

int main(void) {
    int n = 1;
    char *e = getenv("AMOUNT");
    if (e != NULL && *e)
        n = (int)strtol(e, NULL, 10);
    struct box box;
    box.id = 1;
    box.value = malloc(4 * sizeof(int));
    if (!box.value)
        return 1;
    for (int i = 0; i < 4; i++)
        box.value[i] = n;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += box.value[i];
    printf("%d\n", sum);
    free(box.value);
    return 0;
}
