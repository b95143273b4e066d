//@ engines: graph, tvl, overlay, auto; verdict: safe
#include <stdio.h>
#include <stdlib.h>

struct box {
    struct box *next;
    long width;
    double height;
    char mark;
};

int main(void)
{
    struct box *box = malloc(sizeof *box);
    if (box == NULL)
        return 1;
    if (scanf("%ld%*d %lf%c", &box->width, &box->height, &box->mark) != 3) {
        free(box);
        return 0;
    }
    int result = box->width > 10 && box->mark != 'x';
    free(box);
    return result;
}
