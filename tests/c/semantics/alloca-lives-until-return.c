//@ differential
#include <alloca.h>
#include <stdio.h>

struct cell { int v; struct cell *next; };

static int sum(int n, struct cell *list)
{
    if (n == 0) {
        int total = 0;
        for (; list; list = list->next)
            total += list->v;
        return total;
    }
    struct cell *c = alloca(sizeof *c);
    c->v = n * n;
    c->next = list;
    return sum(n - 1, c);
}

int main(void)
{
    for (int n = 0; n < 6; n++)
        printf("%d ", sum(n, NULL));
    char *text = alloca(4);
    text[0] = 'o';
    text[1] = 'k';
    text[2] = '\n';
    text[3] = 0;
    printf("%s", text);
    return 0;
}
