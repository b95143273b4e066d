//@ engines: auto; verdict: unsafe
#define _GNU_SOURCE
#include <stdlib.h>

struct box {
    int id;
    int item;
};

int main(int argc, char **argv) {
    int n = argc;
    struct box box;
    box.id = 1;
    box.item = n;
    if (box.item < 1 || box.item > 20)
        return 1;
    int *values = malloc(8 * sizeof(int));
    if (!values)
        return 1;
    for (int i = 0; i < box.item; i++)
        values[i] = i; //~ out-of-bounds
    free(values);
    return 0;
}
