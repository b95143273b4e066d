//@ engines: explicit, tvl; verdict: unsafe
//@ args: --assume-malloc-succeeds
#include <stdlib.h>

struct node {
    struct node *next;
};

static void app(struct node **l)
{
    if (*l) {
        app(&(*l)->next);
        return;
    }
    *l = malloc(sizeof(struct node));
    (*l)->next = 0;
}

int main(void)
{
    struct node *l = 0;
    app(&l);
    app(&l);
    app(&l);
    struct node *q = l->next;
    free(l);
    free(q); //~ leak
    return 0;
}
