//@ engines: explicit; verdict: unknown
#include <stdlib.h>

struct node { struct node *next; };

int main(void)
{
    struct node *node = (struct node *)getenv("NODE");
    if (!node)
        return 0;
    return node->next == node;
}
