//@ engines: graph; verdict: unsafe
/* That the program ends by exit does not excuse what was lost before. */
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *cache;

int main(void)
{
    cache = calloc(1, sizeof *cache);
    cache = calloc(1, sizeof *cache); //~ leak
    exit(0);
}
