//@ engines: explicit; verdict: unsafe
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        if (node)
            node->next = NULL;
    } //~ leak
    return 0;
}
