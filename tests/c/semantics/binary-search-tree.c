//@ differential
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *kid[2]; };

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            exit(1);
        t->key = key;
    } else if (key != t->key) {
        int side = key > t->key;
        t->kid[side] = insert(t->kid[side], key);
    }
    return t;
}

static struct tree *rotate(struct tree *t, int side)
{
    struct tree *up = t->kid[!side];
    t->kid[!side] = up->kid[side];
    up->kid[side] = t;
    return up;
}

static int depth(const struct tree *t)
{
    if (!t)
        return 0;
    int a = depth(t->kid[0]), b = depth(t->kid[1]);
    return 1 + (a > b ? a : b);
}

static void show(const struct tree *t)
{
    if (t) {
        printf("(");
        show(t->kid[0]);
        printf("%d", t->key);
        show(t->kid[1]);
        printf(")");
    }
}

static void drop(struct tree *t)
{
    if (t) {
        drop(t->kid[0]);
        drop(t->kid[1]);
        free(t);
    }
}

int main(void)
{
    struct tree *t = NULL;
    int keys[] = { 50, 20, 70, 10, 30, 60, 80, 25, 20 };
    for (int i = 0; i < 9; i++)
        t = insert(t, keys[i]);
    show(t);
    printf(" %d\n", depth(t));
    t = rotate(t, 1);
    show(t);
    printf(" %d\n", depth(t));
    t = rotate(rotate(t, 0), 0);
    show(t);
    printf("\n");
    drop(t);
    return 0;
}
