//@ engines: graph, tvl, overlay; verdict: unsafe
/* A list is copied whose numbers were never written, and the copy is searched. */
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

int main(int argc, char **argv)
{
    struct node *list = NULL, *copy = NULL;
    for (int i = 0; i < argc; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->next = list;
        list = n;
    }
    for (struct node *p = list; p; p = p->next) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->v = p->v;
        n->next = copy;
        copy = n;
    }
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    while (copy) {
        if (copy->v > 3) //~ uninitialised
            argc++;
        struct node *n = copy->next;
        free(copy);
        copy = n;
    }
    return 0;
}
