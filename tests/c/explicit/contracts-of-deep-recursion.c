//@ engines: explicit; verdict: safe
/* Every call remembers the heap it started with, however deep the calls are. */
#include <heapwise.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static void down(struct node *list, int n)
{
    hw_ensures("old(list) ==> list");
    if (n > 0)
        down(list, n - 1);
}

int main(void)
{
    down(NULL, 5000);
    return 0;
}
