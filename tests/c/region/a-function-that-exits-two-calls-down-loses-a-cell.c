//@ engines: region; verdict: unknown
//@ args: --property heap
// The cell is lost two calls below where it was made. (A run shows it in the function itself, so it is possible here.)
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *list;

static void die(void) {
    list = NULL;
    exit(2);
}

static void check(int number) {
    if (number < 0)
        die();
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
    list = malloc(sizeof *list);
    if (!list)
        return 1;
    list->next = NULL;
    check(__VERIFIER_nondet_int()); //~ leak
    free(list);
    return 0;
}
