//@ engines: region; verdict: unknown
//@ args: --property heap
// The function never returns: its caller is asked at once who holds the second cell. (A run shows it in the function itself, so it is possible here.)
#include <stdlib.h>

struct node {
    struct node *next;
};

static void serve(struct node *list) {
    list->next = NULL;
    for (;;) {
    }
}

int main(void) {
    struct node *list = malloc(sizeof *list);
    if (!list)
        return 0;
    list->next = malloc(sizeof *list);
    if (list->next)
        list->next->next = NULL;
    serve(list); //~ leak
    free(list->next);
    free(list);
    return 0;
}
