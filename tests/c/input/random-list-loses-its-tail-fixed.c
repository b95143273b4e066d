//@ engines: explicit; verdict: safe
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            break;
        node->next = list;
        list = node;
    }
    if (list != NULL && random() > 1000 && list->next == NULL)
        list->next = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
